internal import LockstepPrimitives

extension SessionOperation {
    mutating func beginRefresh(_ requirement: TokenRequirement, _ known: SessionMachine, _ effects: ClientEffects) -> Action {
        guard known.session != nil else { return .end(.failure(.notSignedIn)) }
        // A refresh may have ended after the caller read the session, and may already meet the requirement.
        if let session = known.serves(requirement, on: effects.clock) { return .end(.session(session)) }
        if let refusal = known.backoff.refusal(on: effects.clock) { return served(else: refusal, known, effects) }
        stage = .entering
        return .enter
    }

    mutating func loadBeforeRefresh() -> Action {
        stage = .loadingBeforeRefresh
        return .load
    }

    /// Loads the session again after the lock timed out, because the lock's holder may have stored a fresh token.
    mutating func loadAfterTimeout(_ error: StoreError) -> Action {
        stage = .loadingAfterTimeout(error)
        return .load
    }

    /// Sends the refresh token that the store currently contains, and only if a new access token is needed.
    mutating func loadedBeforeRefresh(
        _ stored: SessionMachine.Stored?, _ known: inout SessionMachine, _ effects: ClientEffects
    ) -> Action {
        guard !isStale(known), let session = known.session else { return .end(.failure(.notSignedIn)) }
        switch known.compare(stored) {
        case .same: return send(session)
        case .gone:
            known.signOut(because: .endedElsewhere)
            known.didRemove()
            return .end(.failure(.notSignedIn))
        case .other(let stored): return adopt(stored, &known, effects) ?? send(stored.session)
        }
    }

    mutating func loadedAfterTimeout(
        _ stored: SessionMachine.Stored?, _ error: StoreError, _ known: inout SessionMachine, _ effects: ClientEffects
    ) -> Action {
        guard !isStale(known) else { return .end(.failure(.notSignedIn)) }
        if case .other(let stored) = known.compare(stored), let end = adopt(stored, &known, effects) { return end }
        return served(else: .unavailable(error), known, effects)
    }

    /// Uses the session that another process has stored.
    ///
    /// - Returns: The end of the operation; `nil` if that session must be refreshed as well.
    private mutating func adopt(
        _ stored: SessionMachine.Stored, _ known: inout SessionMachine, _ effects: ClientEffects
    ) -> Action? {
        guard known.adopt(stored) else { return .end(.failure(.anotherUser)) }
        guard case .refresh(let requirement) = purpose else { return .end(.session(stored.session)) }
        return known.serves(requirement, on: effects.clock).map { .end(.session($0)) }
    }

    private mutating func send(_ session: Session) -> Action {
        stage = .asking(sent: session)
        return .refresh(session)
    }

    mutating func answered(
        _ fresh: Session, _ sent: Session, _ known: inout SessionMachine, _ effects: ClientEffects
    ) -> Action {
        if let refusal = known.refusal(of: fresh, for: .user(of: sent)) { return failed(refusal, sent, &known, effects) }
        known.answered()
        guard !isStale(known) else { return discard(fresh, &known) }
        return mergeAfterRefresh(fresh, sent)
    }

    /// Uses tokens that came after their operation had ended, unless newer tokens exist by now.
    mutating func takeLate(_ fresh: Session, _ sent: Session, _ known: inout SessionMachine) -> Action {
        if let refusal = known.refusal(of: fresh, for: .user(of: sent)) { return .end(.failure(refusal)) }
        guard let session = known.session, fresh.merged(into: session, after: sent) != nil else { return .end(.done) }
        known.answered()
        return mergeAfterRefresh(fresh, sent)
    }

    /// Loads the stored session before it is overwritten, because it may have changed during the request.
    private mutating func mergeAfterRefresh(_ fresh: Session, _ sent: Session) -> Action {
        stage = .merging(fresh: fresh, sent: sent)
        return .load
    }

    /// Stores the response if it changes the current session.
    private mutating func store(
        _ fresh: Session, _ sent: Session, _ current: Session, over revision: Revision?
    ) -> Action {
        guard let merged = fresh.merged(into: current, after: sent) else { return .end(.session(current)) }
        stage = .storing(fresh: merged, sent: sent)
        return .write(merged, over: revision)
    }

    /// Discards a session that came for a signed-out user: it is never shown, and is revoked on the backend.
    private mutating func discard(_ fresh: Session, _ known: inout SessionMachine) -> Action {
        known.notes.append(.discarded(fresh))
        stage = .removing(.failure(.notSignedIn))
        return .revoke(fresh)
    }

    mutating func stored(
        _ fresh: Session, _ sent: Session, _ revision: Revision, _ known: inout SessionMachine
    ) -> Action {
        guard !isStale(known) else { return takeBack(revision, .failure(.notSignedIn)) }
        let shown = fresh.withUser(of: known.session, unlessStill: sent)
        known.show(shown, storedAs: revision, written: fresh)
        known.didRenew()
        known.notes.append(.renewed(shown))
        return .end(.session(shown))
    }

    mutating func notStored(_ fresh: Session, _ sent: Session, _ error: StoreError, _ known: inout SessionMachine) -> Action {
        guard !isStale(known) else { return discard(fresh, &known) }
        return error.code == .conflict ? mergeAfterRefresh(fresh, sent) : keep(fresh, sent, error, &known)
    }

    /// Merges the response with the stored session, because another client or call may have written during the request.
    mutating func merge(
        _ fresh: Session, _ sent: Session, _ stored: SessionMachine.Stored?, _ known: inout SessionMachine
    ) -> Action {
        guard !isStale(known) else { return discard(fresh, &known) }
        switch known.compare(stored) {
        case .gone:
            known.signOut(because: .endedElsewhere)
            known.didRemove()
            return discard(fresh, &known)
        case .other(let stored):
            guard fresh.merged(into: stored.session, after: sent) != nil else {
                return .end(known.adopt(stored) ? .session(stored.session) : .failure(.anotherUser))
            }
            return store(fresh, sent, stored.session, over: stored.revision)
        case .same:
            guard let session = known.session else { return .end(.failure(.notSignedIn)) }
            return store(fresh, sent, session, over: known.revision)
        }
    }

    /// Tries a conditional write with the last known revision after the load failed.
    mutating func storeBlindly(_ fresh: Session, _ sent: Session, _ known: inout SessionMachine) -> Action {
        guard !isStale(known), let session = known.session else { return discard(fresh, &known) }
        return store(fresh, sent, session, over: known.revision)
    }

    /// Keeps the new tokens in memory until they can be written, because the old tokens are used up.
    mutating func keep(
        _ fresh: Session, _ sent: Session, _ error: StoreError, _ known: inout SessionMachine
    ) -> Action {
        guard !isStale(known), let session = known.session else { return discard(fresh, &known) }
        guard let fresh = fresh.merged(into: session, after: sent) else { return .end(.session(session)) }
        known.show(fresh, insteadOf: sent, unwrittenBecauseOf: error)
        known.didRenew()
        known.notes.append(.renewed(fresh))
        return .end(.session(fresh))
    }

    // MARK: Rejections

    mutating func failed(
        _ error: AuthError, _ sent: Session, _ known: inout SessionMachine, _ effects: ClientEffects
    ) -> Action {
        guard !isStale(known) else { return .end(.failure(.notSignedIn)) }
        guard error.code.verdict == nil else {
            stage = .confirmingVerdict(error, sent: sent)
            return .load
        }
        return doubt(error, &known, effects)
    }

    /// Keeps the session after a failed refresh, and uses its token until the token expires.
    mutating func doubt(_ error: AuthError, _ known: inout SessionMachine, _ effects: ClientEffects) -> Action {
        guard !isStale(known), let session = known.session else { return .end(.failure(.notSignedIn)) }
        known.failed(error, effects)
        known.notes.append(.refreshFailed(error, session))
        return served(else: error, known, effects)
    }

    /// Applies the backend's error to the session whose token was sent.
    ///
    /// If the store contains another session by now, that session stays.
    mutating func judge(
        _ error: AuthError, _ sent: Session, _ stored: SessionMachine.Stored?, _ known: inout SessionMachine,
        _ effects: ClientEffects
    ) -> Action {
        guard !isStale(known) else { return .end(.failure(.notSignedIn)) }
        if case .other(let stored) = known.compare(stored), stored.session.refreshToken != sent.refreshToken {
            if let end = adopt(stored, &known, effects) { return end }
            return send(stored.session)
        }
        // Another call in this process has received new tokens in the meantime.
        if let session = known.session, session.refreshToken != sent.refreshToken {
            guard case .refresh(let requirement) = purpose else { return .end(.failure(error)) }
            return known.serves(requirement, on: effects.clock).map { .end(.session($0)) } ?? send(session)
        }
        known.signOut(because: error.code.verdict ?? .revoked, verdict: error)
        stage = .removing(.failure(error))
        guard let stored else {
            known.didRemove()
            return .end(.failure(error))
        }
        return .remove(stored.revision)
    }

    /// Returns the session if its token is still valid, although the refresh failed.
    func served(else error: AuthError, _ known: SessionMachine, _ effects: ClientEffects) -> Action {
        guard !isStale(known) else { return .end(.failure(.notSignedIn)) }
        guard case .refresh(.valid) = purpose, let session = known.session,
            session.lifetime.remaining(on: effects.clock) > .zero
        else { return .end(.failure(error)) }
        return .end(.session(session))
    }
}

extension Session {
    /// Merges the result of a refresh with changes that calls or other clients made since the tokens were sent.
    ///
    /// It returns `nil` if the other session is newer as a whole.
    fileprivate func merged(into current: Session, after sent: Session) -> Session? {
        if current.hasTokens(of: sent) { return withUser(of: current, unlessStill: sent) }
        // A call has received only a new access token, for example for another organization. That token stays. If
        // refresh tokens rotate, the refresh has used up the old refresh token.
        guard current.refreshToken == sent.refreshToken, refreshToken != sent.refreshToken else { return nil }
        var merged = current
        merged.refreshToken = refreshToken
        return merged
    }

    /// Returns the session with the user of the current session, if that user was changed in the meantime.
    fileprivate func withUser(of current: Session?, unlessStill sent: Session) -> Session {
        guard let current, current.user != sent.user else { return self }
        var copy = self
        copy.user = current.user
        return copy
    }
}
