internal import LockstepPrimitives
internal import Synchronization

/// The part of a client that handles the flow in progress and its steps.
///
/// A step from the adapter changes state and store only if no newer flow, sign-out or other user has come first.
final class FlowCoordinator: Sendable {
    let context: ClientContext
    let sessions: SessionCoordinator
    let deliveries = Deliveries()

    init(_ context: ClientContext, _ sessions: SessionCoordinator) {
        self.context = context
        self.sessions = sessions
    }

    var adapter: any AuthAdapter { context.adapter }
    var effects: ClientEffects { context.effects }

    /// Changes to the user's account that need no flow.
    var changes: AccountChanges { AccountChanges(context: context, sessions: sessions) }

    /// Returns the record of the flow in progress.
    func record(of flow: Flow) async throws(AuthError) -> FlowRecord {
        try await adoptStoredFlow()
        let pending = context.state.withLock { $0.flows.pending }
        guard let pending else {
            throw AuthError(
                .flowNotFound, "This flow has ended, or was never started on this device. Start again.", remedies: [.startAgain])
        }
        guard pending.memory.flow.id == flow.id else {
            throw AuthError(
                .flowAbandoned, "A newer flow replaced this flow. Continue with the newer flow.", remedies: [.startAgain])
        }
        return pending
    }

    /// If this client has no flow, uses the one that another process has started since this client read the store.
    ///
    /// - Throws: `storeUnavailable` if the store cannot be read, so that the flow may exist.
    func adoptStoredFlow() async throws(AuthError) {
        guard context.state.withLock({ $0.flows.pending == nil }) else { return }
        do throws(StoreError) {
            guard let stored = try await context.slots.flows.load(acceptsNewerForm: true).value?.pending else { return }
            sessions.change { [effects] in $0.adopt(stored, effects) }
        } catch {
            throw .unavailable(error)
        }
    }

    /// The part of a step that calls the adapter.
    typealias Request = @Sendable (FlowMemory) async throws(AuthError) -> AuthStep
    /// One attempt of a call.
    typealias Attempt = @Sendable () async throws(AuthError) -> AuthStep
    /// A function that repeats a call: it gets the new attempt, and applies the caller's rule to the result.
    typealias Repetition = @Sendable (@escaping Attempt) async throws(AuthError) -> AuthStep

    /// Continues a flow, with the user's session if the flow is about that user.
    func resume(_ record: FlowRecord, _ request: @escaping Request) async throws(AuthError) -> AuthStep {
        let session = context.state.withLock { $0.session }
        let memory = FlowMemory(
            record.memory, device: try await sessions.deviceNotes(), ordinal: record.ordinal, fingerprint: record.fingerprint,
            session: session)
        // If this flow replaces the session, the session need not be valid: a failed refresh must not prevent a sign-in.
        let replacesSession = [.signIn, .passwordReset].contains(record.memory.flow.kind)
        return try await run(memory, asUser: session != nil && !replacesSession, request)
    }

    /// Runs one step of a flow, and keeps the adapter's notes even if the step failed.
    ///
    /// - `asUser`: Whether the request is sent for the signed-in user. In that case the memory contains a valid session.
    /// - `repeating`: Repeats the call if the backend requires a captcha; `nil` simply tries again.
    func run(
        _ memory: FlowMemory, asUser: Bool, repeating: Repetition? = nil, _ request: @escaping Request
    ) async throws(AuthError) -> AuthStep {
        let generation = context.state.withLock { $0.generation }
        memory.saveDeviceNotes { [sessions] in await sessions.saveDeviceNotes(of: $0) }
        defer { memory.give(captcha: nil) }
        let ask: Attempt = { [sessions] () async throws(AuthError) in
            try await sessions.ask(late: { await self.takeLate($0, memory, generation) }) { () async throws(AuthError) in
                try await request(memory)
            }
        }
        do throws(AuthError) {
            let next: AuthStep
            if asUser {
                next = try await sessions.asUser { session async throws(AuthError) in
                    memory.use(session)
                    return try await ask()
                }
            } else {
                next = try await ask()
            }
            await sessions.saveDeviceNotes(of: memory)
            return try await apply(next, memory, generation)
        } catch {
            await sessions.saveDeviceNotes(of: memory)
            if error.remedies.contains(.captcha), adapter.acceptsCaptcha {
                let attempt: Attempt = { [weak self] () async throws(AuthError) in
                    guard let self else { throw AuthError.cancelled }
                    return try await self.run(memory, asUser: asUser, repeating: repeating, request)
                }
                return try await askForCaptcha(memory, generation) { () async throws(AuthError) in
                    guard let repeating else { return try await attempt() }
                    return try await repeating(attempt)
                }
            }
            await keepProgress(of: memory)
            var error = error
            error.completed = memory.completed
            // Completed parts are not repeated. The repeated call continues after them.
            if !error.completed.isEmpty, error.remedies.isEmpty { error.remedies = [.startAgain] }
            throw error
        }
    }

    // MARK: Results

    /// Applies an adapter's result: stores the session, or the pending step.
    ///
    /// - Throws: `flowAbandoned` if a newer flow, a sign-out or another user came first. In that case nothing is
    ///   changed.
    func apply(
        _ step: AuthStep, _ memory: FlowMemory, _ generation: Int, captcha: CaptchaRetry? = nil
    ) async throws(AuthError) -> AuthStep {
        do throws(AuthError) {
            try refuseIfLate(memory, generation)
            try checkPage(of: step)
            try step.session?.checkTokens()
            try memory.limitedSession?.checkTokens()
            switch step {
            case .complete(let session): return .complete(try await settle(session, memory, generation))
            case .identityConflict:
                await endSpent(memory.flow, handingOver: memory.handover)
                return step
            default: return try await storePendingStep(step, memory, generation, captcha)
            }
        } catch {
            // Discards a session that the backend created for an abandoned flow or for another user.
            if [.flowAbandoned, .userMismatch].contains(error.code), let session = step.session { await discard(session) }
            throw error
        }
    }

    /// Handles a step that came after the caller had already received `cancelled` or `timedOut`.
    ///
    /// The client keeps the adapter's notes, so that the app can repeat the call. If the session belongs to the
    /// signed-in user, the client uses it, because its tokens may have made the older tokens invalid. The client ends
    /// any other session on the backend, because no user may be signed in without the app's knowledge.
    func takeLate(_ step: AuthStep, _ memory: FlowMemory, _ generation: Int) async {
        await sessions.saveDeviceNotes(of: memory)
        guard context.state.withLock({ $0.generation == generation && $0.flows.lastOrdinal == memory.ordinal }) else {
            if let session = step.session { await discard(session) }
            return
        }
        await keepProgress(of: memory)
        if case .identityConflict = step { await keepLate(memory.handover, of: memory.flow) }
        guard let session = step.session else { return }
        guard context.state.withLock({ $0.session?.user.id.exact == session.user.id.exact }) else {
            return await discard(session)
        }
        _ = try? await apply(step, memory, generation)
    }

    /// Ends a session on the backend because no user has requested it, unless it is the current session.
    private func discard(_ session: Session) async {
        // The backend cannot end a session whose tokens no request can carry.
        guard session.hasSendableTokens else { return }
        guard context.state.withLock({ $0.session?.isSame(as: session) != true }) else { return }
        await sessions.revoke(session)
    }

    private func refuseIfLate(_ memory: FlowMemory, _ generation: Int) throws(AuthError) {
        let isLate = context.state.withLock { $0.flows.currentOrdinal > memory.ordinal || $0.generation != generation }
        guard !isLate else { throw .flowOvertaken }
    }

    /// Completes a flow with a session.
    private func settle(_ session: Session, _ memory: FlowMemory, _ generation: Int) async throws(AuthError) -> Session {
        try await enter(session, by: memory, generation) { state in
            state.flows.pending = nil
            state.flows.interrupted = nil
            state.askForProof(self.adapter, self.effects)
        }
        await sessions.persist(.flow)
        return session
    }

    /// Stores and shows a session, unless a newer flow, a sign-out or another user comes first.
    private func enter(
        _ session: Session, by memory: FlowMemory, _ generation: Int, _ body: @escaping @Sendable (inout ClientState) -> Void
    ) async throws(AuthError) {
        let ordinal = memory.ordinal
        let flow = FlowInterest(isWanted: { $0.flows.currentOrdinal <= ordinal }) { state in
            state.flows.currentOrdinal = ordinal
            body(&state)
        }
        let operation = SessionOperation(.enter(session, of: memory.expectedUser), in: generation)
        if case .failure(let error) = await sessions.perform(operation, in: flow) { throw error }
    }

    /// Continues a flow: stores its step and notes, and a limited session if there is one.
    private func storePendingStep(
        _ step: AuthStep, _ memory: FlowMemory, _ generation: Int, _ captcha: CaptchaRetry?
    ) async throws(AuthError) -> AuthStep {
        let record = FlowRecord(
            fingerprint: memory.fingerprint, ordinal: memory.ordinal, unfinished: UnfinishedStep(step), memory: memory.contents)
        let available = step.challenge?.resendAvailableAt
        let wait = available.map { TokenLifetime(life: $0 - effects.clock.now, clock: effects.clock) }
        let setPending: @Sendable (inout ClientState) -> Void = { state in
            let before = state.flows.pending.flatMap { $0.memory.flow.id == record.memory.flow.id ? $0 : nil }
            // If the backend asks for another captcha, the flow still returns to the same earlier step.
            let former = before?.acceptsCaptcha == true ? state.flows.captchaRetry?.former : before
            state.setPending(record)
            state.flows.pending?.resendWait = wait
            state.flows.pending?.steps = (before?.steps ?? 0) + 1
            state.flows.captchaRetry = captcha
            state.flows.captchaRetry?.former = former
            state.flows.interrupted = nil
        }
        if let limited = memory.limitedSession {
            try await enter(limited, by: memory, generation, setPending)
        } else {
            let isCurrent = sessions.change { state in
                guard state.generation == generation, state.flows.currentOrdinal <= memory.ordinal else { return false }
                state.flows.currentOrdinal = memory.ordinal
                setPending(&state)
                return true
            }
            guard isCurrent else { throw .flowOvertaken }
        }
        await sessions.persist(.flow)
        return step
    }

    /// Keeps the notes of a failed step.
    ///
    /// The user may respond again, and the app may repeat the call.
    func keepProgress(of memory: FlowMemory) async {
        let changes = sessions.change { state in
            // A flow that was abandoned in the meantime stays abandoned.
            guard state.flows.currentOrdinal <= memory.ordinal else { return false }
            if state.flows.pending?.memory.flow.id == memory.flow.id {
                state.flows.pending?.memory = memory.contents
                return true
            }
            guard !memory.completed.isEmpty, !memory.fingerprint.isEmpty else { return false }
            state.flows.interrupted = FlowRecord(
                fingerprint: memory.fingerprint, ordinal: memory.ordinal, unfinished: nil, memory: memory.contents)
            return true
        }
        if changes { await sessions.persist(.flow) }
    }

    /// Rejects a page that a browser must not open, whether its URL came from the provider or from the app.
    ///
    /// Such a URL has the scheme `javascript:`, `file:` or `data:`, an app's own scheme, or plain http to another
    /// machine.
    ///
    /// - Throws: `invalidResponse`.
    private func checkPage(of step: AuthStep) throws(AuthError) {
        guard case .redirect(let redirect) = step else { return }
        do throws(WebOrigin.Flaw) {
            _ = try WebOrigin.of(url: redirect.url)
        } catch {
            throw AuthError(
                .invalidResponse, "The backend returned a page that must not be opened: \(error.sentence).",
                remedies: [.startAgain])
        }
    }
}
