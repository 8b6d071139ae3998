internal import LockstepPrimitives
internal import Synchronization

/// All actions of a client on its session: restoring, refreshing, signing out, revocations and pending writes.
///
/// The rules are in ``SessionMachine`` and its operations. This class runs them with the store and the backend.
final class SessionCoordinator: Sendable {
    let context: ClientContext
    let restoring = Shared<Void>()

    init(_ context: ClientContext) { self.context = context }

    var adapter: any AuthAdapter { context.adapter }
    var effects: ClientEffects { context.effects }
    var options: AuthClient.Options { context.options }

    /// The current state in memory.
    var state: AuthState { context.state.withLock { $0.authState } }

    var isRestored: Bool { context.state.withLock { $0.isRestored } }

    /// Changes the state, and publishes it to the subscribers.
    ///
    /// The event sink is called afterwards, without a lock.
    ///
    /// - `latency`: The duration of the refresh that caused the change.
    @discardableResult
    func change<Result: Sendable>(
        after latency: Duration? = nil, _ body: @Sendable (inout ClientState) -> Result
    ) -> Result {
        let (result, notes, published, hasPendingWrites) = context.state.withLock { state in
            let result = body(&state)
            state.flows.forgetBoundCall()
            defer { state.sessions.machine.notes = [] }
            return (result, state.sessions.machine.notes, state.publish(), state.hasPendingWrites && !state.store.isSettling)
        }
        if !effects.events.isNone {
            for note in notes { effects.report(note.event, note.fields(after: latency)) }
            if let published { effects.report(.stateChanged, published.eventFields) }
        }
        if hasPendingWrites { retryPendingWritesLater() }
        return result
    }
}

// MARK: Tokens

extension SessionCoordinator {
    /// Returns a session that meets the requirement, from memory or from a refresh that all callers share.
    func session(satisfying requirement: SessionOperation.TokenRequirement) async throws(AuthError) -> Session {
        // A shared refresh may have had another requirement, and a token may expire while it is stored. A token that
        // expires on the way to the caller is returned anyway, because the app's server decides.
        var shortLived: Session?
        for _ in 0..<3 {
            let (ready, generation, refreshing) = context.state.withLock { state in
                (state.sessions.machine.serves(requirement, on: effects.clock), state.generation, state.sessions.refreshing)
            }
            if let ready { return ready }
            try state.check([.any], unverified: .allowed)
            switch await refreshed(for: requirement, in: generation, refreshing) {
            case .cancelled: throw .cancelled
            case .timeIsOver:
                // If the caller cannot wait for the refresh, it is treated like a caller whose refresh failed.
                if case .valid = requirement, let session = livingSession(of: generation) { return session }
                throw context.end(of: WaitEnd<Void>.timeIsOver)
            case .value(.session(let session)):
                guard context.state.withLock({ requirement.takes(session, $0.sessions.machine) }) else { continue }
                if session.lifetime.remaining(on: effects.clock) > .zero { return session }
                shortLived = session
            case .value(.failure(let error)): throw error
            case .value(.done): break
            }
        }
        if let shortLived { return shortLived }
        throw AuthError(.invalidResponse, "The backend did not return a usable token. Try again.", retry: .now)
    }

    /// Waits for the refresh in progress, or begins one.
    ///
    /// A refresh has its own deadline, because it belongs to all callers that wait for it.
    private func refreshed(
        for requirement: SessionOperation.TokenRequirement, in generation: Int, _ refreshing: Shared<SessionOperation.Outcome>
    ) async -> WaitEnd<SessionOperation.Outcome> {
        let limit = CallDeadline.left(of: options.deadline, on: effects.clock)
        let end = await effects.clock.wait(atMost: limit) { [self] () async -> SessionOperation.Outcome? in
            await refreshing.result { [self] in
                await CallDeadline.$uptime.withValue(nil) {
                    await perform(SessionOperation(.refresh(requirement), in: generation))
                }
            }
        }
        return switch end {
        case .value(let outcome?): .value(outcome)
        case .value(nil), .cancelled: .cancelled
        case .timeIsOver: .timeIsOver
        }
    }

    private func livingSession(of generation: Int) -> Session? {
        context.state.withLock { state in
            guard state.generation == generation, let session = state.session else { return nil }
            return session.lifetime.remaining(on: effects.clock) > .zero ? session : nil
        }
    }

    /// The session in memory, if its token is usable and the app may get it.
    ///
    /// The lock is held briefly, and nothing is awaited.
    var usableSession: Session? {
        let session = context.state.withLock { $0.sessions.machine.serves(.valid, on: effects.clock) }
        return session.flatMap { options.unverifiedUsers.take($0) ? $0 : nil }
    }

    func validSession() async throws(AuthError) -> Session { try await session(satisfying: .valid) }

    /// The number of renewals of the session: a rejected token is renewed once, even if the new token is the same.
    var renewals: Int { context.state.withLock { $0.sessions.machine.renewals } }

    /// Returns the session for the app, if it meets all requirements.
    ///
    /// - Throws: The error of the first requirement that the session does not meet.
    func session(meeting requirements: Set<SessionRequirement>) async throws(AuthError) -> Session {
        let unverified = options.unverifiedUsers
        try state.check(requirements, unverified: unverified)
        let session = try await validSession()
        // Another user may have signed in while the token was renewed.
        try state.check(requirements, unverified: unverified)
        try session.check(requirements, unverified: unverified)
        return session
    }

    /// Loads the user from the backend.
    func reloadedUser() async throws(AuthError) -> User {
        let generation = context.state.withLock { $0.generation }
        return try await asUser { session async throws(AuthError) in
            do throws(AuthError) {
                return try await self.changed(session, in: generation) { () async throws(AuthError) in
                    try await self.adapter.sessions.reload(session)
                }.user
            } catch {
                if error.code.verdict != nil {
                    _ = await self.perform(SessionOperation(.judge(error, of: session), in: generation))
                }
                throw error
            }
        }
    }

    /// Returns the session after `feature` has changed it.
    ///
    /// The client keeps the session even if it came too late for its caller, because it may contain newer tokens.
    func changed(
        _ session: Session, in generation: Int, by feature: @escaping @Sendable () async throws(AuthError) -> Session
    ) async throws(AuthError) -> Session {
        let late: @Sendable (Session) async -> Void = { [self] fresh in
            _ = await perform(SessionOperation(.update(fresh, from: session), in: generation))
        }
        let fresh: Session
        do throws(AuthError) {
            fresh = try await ask(late: late) { () async throws(AuthError) in
                let fresh = try await feature()
                try fresh.checkTokens()
                return fresh
            }
        } catch {
            // The adapter found that a response belongs to another user, but does not name the user.
            if error.code == .userMismatch { try refuse(session, if: "") }
            throw error
        }
        return try await keep(fresh, insteadOf: session, in: generation)
    }

    /// Loads a list of the signed-in user's values from the backend, as a call of the app.
    ///
    /// - `question`: Calls the adapter. It returns the user of the list if the response contains one.
    ///
    /// Throws `userMismatch` if the list belongs to another user.
    func list<Element: Sendable>(
        _ name: String, _ question: @escaping @Sendable (Session) async throws(AuthError) -> (user: String?, elements: [Element])
    ) async throws(AuthError) -> [Element] {
        try await call(name) { () async throws(AuthError) in
            try await self.asUser { session async throws(AuthError) in
                let (user, elements) = try await self.ask { () async throws(AuthError) in try await question(session) }
                if let user { try self.refuse(session, if: user) }
                return elements
            }
        }
    }

    /// Rejects a response that belongs to a user other than the session's user.
    private func refuse(_ session: Session, if user: String) throws(AuthError) {
        var answered = session
        answered.user.id = user
        if let refusal = change({ [answered] in $0.sessions.machine.refusal(of: answered, for: .user(of: session)) }) {
            throw refusal
        }
    }

    /// Stores and shows the session that a call has changed, starting from `base`.
    ///
    /// - Throws: `notSignedIn` if that user's session is no longer the current one. In that case nothing has changed.
    func keep(_ fresh: Session, insteadOf base: Session, in generation: Int) async throws(AuthError) -> Session {
        let operation = SessionOperation(.update(fresh, from: base), in: generation)
        switch await perform(operation, in: FlowInterest(atTheEnd: { $0.askForProof(self.adapter, self.effects) })) {
        case .session(let session): return session
        case .failure(let error): throw error
        case .done: throw .notSignedIn
        }
    }
}

extension AuthState {
    fileprivate var eventFields: [AuthEvent.Field: String] {
        switch self {
        case .restoring: [.state: "restoring"]
        case .signedOut(let reason): [.state: "signedOut", .reason: reason.rawValue]
        case .anonymous: [.state: "anonymous"]
        case .unverified: [.state: "unverified"]
        case .signedIn: [.state: "signedIn"]
        case .unavailable(let failure): [.state: "unavailable", .code: failure.code.rawValue]
        }
    }
}
