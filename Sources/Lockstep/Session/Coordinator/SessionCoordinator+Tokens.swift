internal import LockstepPrimitives
internal import Synchronization

extension SessionCoordinator {
    /// A session that meets the requirement: the one in memory, or one from a refresh shared by all callers who need it.
    func session(serving demand: SessionOperation.TokenRequirement) async throws(AuthError) -> Session {
        // A joined refresh may have been for another requirement, and a token may expire while it is stored. A token whose life
        // is shorter than its way to the caller is returned as it is: the app's server decides.
        var shortLived: Session?
        for _ in 0..<3 {
            let (ready, generation, refreshing) = context.state.withLock { core in
                (core.sessions.serves(demand, on: effects.clock), core.generation, core.refreshing)
            }
            if let ready { return ready }
            switch await refreshed(for: demand, in: generation, refreshing) {
            case .cancelled: throw .cancelled
            case .timeIsOver:
                // A caller that cannot wait for the renewal is treated as one whose renewal failed.
                if case .valid = demand, let session = livingSession(of: generation) { return session }
                throw context.end(of: WaitEnd<Void>.timeIsOver)
            case .value(.session(let session)):
                guard context.state.withLock({ demand.takes(session, $0.sessions) }) else { continue }
                if session.lifetime.remaining(on: effects.clock) > .zero { return session }
                shortLived = session
            case .value(.failure(let error)): throw error
            case .value(.done): break
            }
        }
        if let shortLived { return shortLived }
        throw AuthError(.invalidResponse, "The backend gives no token that can be used. Try again.", retry: .now)
    }

    /// Waits for the refresh in progress, or begins one: it has a deadline of its own, because it belongs to all who wait for it.
    private func refreshed(
        for demand: SessionOperation.TokenRequirement, in generation: Int, _ refreshing: Shared<SessionOperation.Outcome>
    ) async -> WaitEnd<SessionOperation.Outcome> {
        let limit = CallDeadline.left(of: options.deadline, on: effects.clock)
        let end = await effects.clock.wait(atMost: limit) { [self] () async -> SessionOperation.Outcome? in
            await refreshing.result { [self] in
                await CallDeadline.$uptime.withValue(nil) { await run(SessionOperation(.refresh(demand), in: generation)) }
            }
        }
        return switch end {
        case .value(let outcome?): .value(outcome)
        case .value(nil), .cancelled: .cancelled
        case .timeIsOver: .timeIsOver
        }
    }

    private func livingSession(of generation: Int) -> Session? {
        context.state.withLock { core in
            guard core.generation == generation, let session = core.session else { return nil }
            return session.lifetime.remaining(on: effects.clock) > .zero ? session : nil
        }
    }

    /// The session in memory, if its token can be used as it is: the lock is held briefly, nothing is awaited.
    var usableSession: Session? { context.state.withLock { $0.sessions.serves(.valid, on: effects.clock) } }

    func validSession() async throws(AuthError) -> Session { try await session(serving: .valid) }

    /// The session, and how often it has been renewed: a refused token is renewed once, also where the new one is the same.
    func validSessionAndRenewals() async throws(AuthError) -> (session: Session, renewals: Int) {
        let session = try await validSession()
        return (session, context.state.withLock { $0.sessions.renewals })
    }

    /// The session, which meets all requirements.
    ///
    /// - Throws: by the first requirement that is not met.
    func session(meeting requirements: Set<SessionRequirement>) async throws(AuthError) -> Session {
        try state.check(requirements)
        let session = try await validSession()
        // The user may have become another one while the token was renewed.
        try state.check(requirements)
        try session.check(requirements)
        return session
    }

    /// The user as the backend has them now.
    func reloadedUser() async throws(AuthError) -> User {
        let generation = context.state.withLock { $0.generation }
        return try await asUser { session async throws(AuthError) in
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
        switch await run(operation, in: FlowInterest(atTheEnd: { $0.askForProof(self.adapter, self.effects) })) {
        case .session(let session): return session
        case .failure(let error): throw error
        case .done: throw .notSignedIn
        }
    }
}
