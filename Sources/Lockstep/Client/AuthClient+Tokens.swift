public import LockstepPrimitives
internal import Synchronization

extension AuthClient {
    /// An access token that is valid now, refreshed where it must be.
    ///
    /// Any number of tasks may ask at once: there is one refresh, and all get its result. A caller that is cancelled cancels
    /// only itself.
    ///
    /// - Throws: `notSignedIn`; `network`, `timedOut`, `serverUnavailable`, `tooManyRequests`, `invalidResponse` when the
    ///   refresh failed and the session stays; a verdict (`sessionRevoked`, `userDeleted`…) when the session has ended.
    public func accessToken() async throws(AuthError) -> Secret {
        if let session = usableSession { return session.accessToken }
        return try await renewedToken()
    }

    @concurrent
    private func renewedToken() async throws(AuthError) -> Secret {
        try await call("accessToken") { () async throws(AuthError) in try await self.validSession().accessToken }
    }

    /// The session, for features that need one.
    ///
    /// - Throws: `notSignedIn`, `verificationRequired` (with the challenge as remedy; for a guest, to link), `secondFactorRequired`,
    ///   and what ``accessToken()`` throws.
    @concurrent
    public func session(requiring requirement: SessionRequirement = .any) async throws(AuthError) -> Session {
        try await call("session") { () async throws(AuthError) in
            let state = self.state
            switch (requirement, state) {
            case (.any, _), (.verified, .signedIn): break
            case (_, .anonymous):
                throw AuthError(
                    .verificationRequired, "A guest cannot do this. Let the user link a way to sign in.", remedies: [.linkGuest])
            case (_, .unverified(let pending)):
                throw AuthError(
                    .verificationRequired, "The address has not been proven yet. Show the challenge.",
                    remedies: [.verify(pending.challenge)])
            case (.secondFactor, .signedIn(let session)) where session.assurance == .oneFactor:
                throw AuthError(.secondFactorRequired, "This needs a second factor. Ask for one.", remedies: [.secondFactor])
            default: break
            }
            return try await self.validSession()
        }
    }

    /// The session with the user as the backend has them now.
    ///
    /// - Throws: what ``accessToken()`` throws.
    @concurrent
    @discardableResult
    public func refreshUser() async throws(AuthError) -> User {
        try await call("refreshUser") { () async throws(AuthError) in
            let (session, generation) = try await self.validSessionAndGeneration()
            do throws(AuthError) {
                let fresh = try await self.ask { () async throws(AuthError) in try await self.adapter.sessions.reload(session) }
                return try await self.keep(fresh, of: generation).user
            } catch {
                if let reason = error.code.verdict { await self.end(generation, because: reason, verdict: error) }
                throw error
            }
        }
    }

    /// The session in memory, if its token can be used as it is: no lock is held for longer than a look, nothing is awaited.
    var usableSession: Session? {
        core.withLock { core in
            guard let session = core.session, !session.lifetime.needsRefresh(on: effects.clock) else { return nil }
            return session
        }
    }

    func validSession() async throws(AuthError) -> Session { try await validSessionAndGeneration().session }

    func validSessionAndGeneration() async throws(AuthError) -> (session: Session, generation: Int) {
        let (known, generation) = core.withLock { ($0.session, $0.generation) }
        guard let known else { throw notSignedIn }
        if !known.lifetime.needsRefresh(on: effects.clock) { return (known, generation) }
        return (try await sharedRefresh(of: generation), generation)
    }

    var notSignedIn: AuthError { AuthError(.notSignedIn, "Nobody is signed in.", remedies: [.signIn]) }

    /// Puts a newer form of the session in place, unless somebody else signed in meanwhile.
    ///
    /// - Throws: `notSignedIn` where the session is not the current one any more; nothing is changed then.
    func keep(_ session: Session, of generation: Int) async throws(AuthError) -> Session {
        guard core.withLock({ $0.generation == generation }) else { throw notSignedIn }
        let isSaved = await save(session)
        let isCurrent = change { core in
            guard core.generation == generation else { return false }
            core.session = session
            core.isUnsaved = !isSaved
            if session.user.standing != .unverified, core.pending?.memory.flow.kind == .confirmation { core.pending = nil }
            self.askForProof(&core)
            return true
        }
        guard isCurrent else {
            await restoreOrder()
            throw notSignedIn
        }
        return session
    }

    /// Makes the store say again what memory says, after a write that came too late.
    func restoreOrder() async {
        if let current = core.withLock({ $0.session }) {
            _ = await save(current)
        } else {
            try? await store.remove(key(.session))
        }
    }

    /// Writes a session over whatever is stored.
    ///
    /// - Returns: whether that worked; where not, the sink has been told.
    func save(_ session: Session) async -> Bool {
        do throws(StoreError) {
            let bytes = try Envelope(session).bytes()
            for _ in 0..<8 {
                let revision = try await store.load(key(.session))?.revision
                do throws(StoreError) {
                    try await store.replace(key(.session), with: bytes, unlessChangedSince: revision)
                    return true
                } catch  where error.code == .conflict {}
            }
            throw StoreError(.busy, "Others keep replacing the stored session.")
        } catch {
            tell(.persistenceFailed, ["code": error.code.rawValue])
            return false
        }
    }

    /// Ends the session because the backend said so.
    func end(_ generation: Int, because reason: SignOutReason, verdict: AuthError) async {
        let isCurrent = change { core in
            guard core.generation == generation else { return false }
            core.signOut(because: reason)
            return true
        }
        guard isCurrent else { return }
        tell(.sessionEnded, ["reason": reason.rawValue, "verdict": verdict.provider?.code ?? verdict.code.rawValue])
        for slot in [StoreKey.Slot.session, .flow] { try? await store.remove(key(slot)) }
    }
}

extension ClientState {
    /// Forgets the session and every flow; answers still on their way count no more.
    mutating func signOut(because reason: SignOutReason) {
        session = nil
        isUnsaved = false
        self.reason = reason
        pending = nil
        interrupted = nil
        generation += 1
        lastOrdinal += 1
        currentOrdinal = lastOrdinal
    }
}
