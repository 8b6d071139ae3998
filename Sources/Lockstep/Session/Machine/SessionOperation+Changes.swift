internal import LockstepPrimitives

extension SessionOperation {
    /// Starts a sign-in or a change, unless the response belongs to another user.
    mutating func accept(_ fresh: Session, of expected: ExpectedUser, _ known: inout SessionMachine) -> Action {
        if let refusal = known.refusal(of: fresh, for: expected) { return .end(.failure(refusal)) }
        return again(0)
    }

    /// Loads the stored session before it is overwritten.
    mutating func again(_ tries: Int) -> Action {
        stage = .placing(tries: tries)
        return .load
    }

    mutating func place(
        over stored: SessionMachine.Stored?, _ tries: Int, _ known: inout SessionMachine
    ) -> Action {
        replaced = []
        guard !isStale(known) else { return .end(.failure(lateness)) }
        guard case .update(let fresh, let base) = purpose else {
            guard case .enter(let fresh, _) = purpose else { return .end(.done) }
            replaced = known.replaced(by: fresh, over: stored)
            return write(fresh, over: stored, tries)
        }
        switch known.compare(stored) {
        case .gone:
            known.signOut(because: .endedElsewhere)
            known.didRemove()
            return .end(.failure(.notSignedIn))
        case .other(let stored):
            guard known.adopt(stored) else { return .end(.failure(.anotherUser)) }
        case .same: break
        }
        guard let session = known.session else { return .end(.failure(.notSignedIn)) }
        let changed = session.merging(fresh, insteadOf: base)
        // A session that is already stored is not written again.
        if changed == session, known.pendingWrite == nil { return .end(.session(session)) }
        return write(changed, over: stored, tries)
    }

    private mutating func write(_ session: Session, over stored: SessionMachine.Stored?, _ tries: Int) -> Action {
        stage = .writing(session, tries: tries + 1)
        return .write(session, over: stored?.revision)
    }

    mutating func placed(_ session: Session, _ revision: Revision, _ known: inout SessionMachine) -> Action {
        guard !isStale(known) else {
            replaced = []
            return takeBack(revision, .failure(lateness))
        }
        var shown = session
        switch purpose {
        case .enter: known.beginGeneration()
        case .update(let fresh, let base): shown = known.session?.merging(fresh, insteadOf: base) ?? session
        default: shown = known.session ?? session
        }
        known.show(shown, storedAs: revision, written: session)
        return .end(.session(shown))
    }

    /// Shows the session although the store could not be written; the write is repeated later.
    mutating func unplaced(_ error: StoreError, _ known: inout SessionMachine) -> Action {
        replaced = []
        guard !isStale(known) else { return .end(.failure(lateness)) }
        let shown: Session?
        switch purpose {
        case .enter(let fresh, _):
            replaced = known.replaced(by: fresh, over: nil)
            known.beginGeneration()
            shown = fresh
        case .update(let fresh, let base): shown = known.session?.merging(fresh, insteadOf: base)
        default: shown = known.session
        }
        guard let shown else { return .end(.failure(.notSignedIn)) }
        known.show(shown, unwrittenBecauseOf: error)
        return .end(.session(shown))
    }

    /// Removes a session that was written too late, because the user signed out during the write.
    mutating func takeBack(_ revision: Revision, _ outcome: Outcome) -> Action {
        stage = .removing(outcome)
        return .remove(revision)
    }

    /// Uses the session that another client has written, before a token is needed.
    func reload(_ stored: SessionMachine.Stored?, _ known: inout SessionMachine) -> Action {
        guard !isStale(known) else { return .end(.done) }
        switch (known.compare(stored), known.session) {
        case (.same, _), (.gone, nil): break
        case (.other(let stored), _): _ = known.adopt(stored)
        case (.gone, _?):
            known.signOut(because: .endedElsewhere)
            known.didRemove()
        }
        return .end(known.session.map { .session($0) } ?? .done)
    }

    // MARK: Pending writes

    mutating func settle(_ stored: SessionMachine.Stored?, _ known: inout SessionMachine) -> Action {
        guard !isStale(known), let pendingWrite = known.pendingWrite else { return .end(.done) }
        switch (known.compare(stored), pendingWrite, known.session) {
        case (.same, .session, let session?):
            stage = .writing(session, tries: .max)
            return .write(session, over: known.revision)
        // Another client has signed in or out since the write failed, and its change wins.
        case (.other(let stored), .session, _): _ = known.adopt(stored)
        case (.gone, .session, _):
            known.signOut(because: .endedElsewhere)
            known.didRemove()
        case (.same, _, _):
            guard let revision = stored?.revision else {
                known.didRemove()
                break
            }
            stage = .removing(.done)
            return .remove(revision)
        case (_, .removal, _): known.cancelPendingRemoval(stored: stored)
        }
        return .end(.done)
    }
}

extension Session {
    /// Returns this session with the changes of a call.
    ///
    /// Tokens that are newer than the call's own tokens stay.
    fileprivate func merging(_ fresh: Session, insteadOf base: Session) -> Session {
        guard !hasTokens(of: base) else { return fresh }
        var merged = fresh.accessToken == base.accessToken ? self : fresh
        merged.user = fresh.user
        merged.refreshToken = fresh.refreshToken == base.refreshToken ? refreshToken : fresh.refreshToken
        return merged
    }

    func hasTokens(of other: Session) -> Bool {
        accessToken == other.accessToken && refreshToken == other.refreshToken
    }
}

/// The user whose session a response may contain.
///
/// This is the only place that compares user, token and request before the client keeps anything of a response. A cache
/// or a backend that mixes up the responses for two users must not turn one user into the other.
package struct ExpectedUser: Sendable, Hashable {
    /// The user of the request; `nil` if no user was known yet.
    package var id: String?
    /// The address or number of the request; `nil` if it had none.
    package var address: String?
    /// Whether the response may belong to another user, for example when a user signs in to renew a session.
    package var isProof = false

    /// Any user.
    package static let any = ExpectedUser()

    /// One user.
    package static func user(of session: Session) -> ExpectedUser { ExpectedUser(id: session.user.id) }

    /// The user that a request was about.
    package init(id: String? = nil, address: String? = nil, isProof: Bool = false) {
        self.id = id
        self.address = address
        self.isProof = isProof
    }

    /// Returns the error for a response that contains another user; `nil` if it does not.
    package func refusal(of session: Session) -> AuthError? {
        guard session.isOfOneUser else { return .anotherUsersResponse }
        if let id, session.user.id.exact != id.exact { return isProof ? .anotherUsersProof : .anotherUsersResponse }
        if let address, !session.user.holds(address) { return .anotherUsersResponse }
        return nil
    }
}

extension Session {
    /// Whether the subject of the access token, if it has one, is the session's user.
    package var isOfOneUser: Bool { subject == nil || subject?.exact == user.id.exact }

    /// Returns whether both are the same session, even if their tokens differ.
    func isSame(as other: Session) -> Bool {
        guard provider == other.provider else { return false }
        if let id, let otherID = other.id { return id.exact == otherID.exact }
        return refreshToken == other.refreshToken
    }
}

extension User {
    /// Returns whether an email address or phone number belongs to this user.
    fileprivate func holds(_ address: String) -> Bool {
        guard address.contains("@") else {
            // If a user has several numbers, the backend reports only the first.
            return phone == nil || phone == address || identities.filter { $0.provider == .phone }.count > 1
        }
        let wanted = address.lowercased().exact
        return email?.lowercased().exact == wanted || identities.contains { $0.email?.lowercased().exact == wanted }
    }
}

extension AuthError {
    /// The error for a response that belongs to a user other than the request's user.
    static let anotherUsersResponse = AuthError(
        .invalidResponse,
        "The response belongs to a different user than the request. Nothing was changed. A cache in front of the backend may mix up responses.",
        retry: .now)

    /// The error for a verification that another user has completed.
    static let anotherUsersProof = AuthError(
        .userMismatch, "The verification belongs to a different user than the signed-in user. Nothing was changed.")
}
