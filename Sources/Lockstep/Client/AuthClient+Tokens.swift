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
        try await session(requiring: [requirement])
    }

    /// The session, for features with several requirements: all of them are met, or the call throws.
    ///
    /// ```swift
    /// let session = try await client.session(requiring: [.verified, .secondFactor])
    /// ```
    ///
    /// - Throws: as for one requirement, by the first that is not met: the proof of the address is asked for before the second
    ///   factor.
    @concurrent
    public func session(requiring requirements: Set<SessionRequirement>) async throws(AuthError) -> Session {
        try await call("session") { () async throws(AuthError) in
            try self.state.check(requirements)
            let session = try await self.validSession()
            // The user may have become another one while the token was renewed.
            try self.state.check(requirements)
            try session.check(requirements)
            return session
        }
    }

    /// Reloads the user from the backend and returns the session.
    ///
    /// - Throws: what ``accessToken()`` throws.
    @concurrent
    @discardableResult
    public func refreshUser() async throws(AuthError) -> User {
        try await call("refreshUser") { () async throws(AuthError) in
            let generation = self.core.withLock { $0.generation }
            return try await self.asUser { session async throws(AuthError) in
                do throws(AuthError) {
                    return try await self.changed(session, in: generation) { () async throws(AuthError) in
                        try await self.adapter.sessions.reload(session)
                    }.user
                } catch {
                    if error.code.verdict != nil {
                        _ = await self.run(SessionOperation(.judge(error, of: session), in: generation))
                    }
                    throw error
                }
            }
        }
    }

    /// The session in memory, if its token can be used as it is: the lock is held briefly, nothing is awaited.
    var usableSession: Session? { core.withLock { $0.sessions.serves(.valid, on: effects.clock) } }

    func validSession() async throws(AuthError) -> Session { try await session(serving: .valid) }

    /// The session, and how often it has been renewed: a refused token is renewed once, also where the new one is the same.
    func validSessionAndRenewals() async throws(AuthError) -> (session: Session, renewals: Int) {
        let session = try await validSession()
        return (session, core.withLock { $0.sessions.renewals })
    }

    /// The session as `power` has changed it, kept also where it came too late for its caller: it may have newer tokens.
    func changed(
        _ session: Session, in generation: Int, by power: @escaping @Sendable () async throws(AuthError) -> Session
    ) async throws(AuthError) -> Session {
        let late: @Sendable (Session) async -> Void = { [self] fresh in
            _ = await run(SessionOperation(.update(fresh, from: session), in: generation))
        }
        let fresh: Session
        do throws(AuthError) {
            fresh = try await ask(late: late, power)
        } catch {
            // The adapter itself has found that an answer is about another user, whom it does not name.
            if error.code == .userMismatch { try refuse(session, if: "") }
            throw error
        }
        return try await keep(fresh, insteadOf: session, in: generation)
    }

    /// Refuses an answer about another user than the session's.
    func refuse(_ session: Session, if user: String) throws(AuthError) {
        var answered = session
        answered.user.id = user
        if let refusal = change({ [answered] in $0.sessions.refusal(of: answered, for: .user(of: session)) }) { throw refusal }
    }

    /// Stores and shows a changed form of the session, which a call has made of `base`.
    ///
    /// - Throws: `notSignedIn` where that user's session is not the current one any more; nothing has changed then.
    func keep(_ fresh: Session, insteadOf base: Session, in generation: Int) async throws(AuthError) -> Session {
        let operation = SessionOperation(.update(fresh, from: base), in: generation)
        switch await run(operation, in: FlowInterest(atTheEnd: { self.askForProof(&$0) })) {
        case .session(let session): return session
        case .failure(let error): throw error
        case .done: throw .notSignedIn
        }
    }
}
