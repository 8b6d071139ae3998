internal import LockstepPrimitives
internal import Synchronization

extension AuthClient {
    /// Applies an adapter's result: stores the session, or the pending step.
    ///
    /// - Throws: `flowAbandoned` where a newer flow, a sign-out or another user came first: nothing is changed then.
    func apply(_ step: SignInStep, _ memory: FlowMemory, _ generation: Int) async throws(AuthError) -> SignInStep {
        do throws(AuthError) {
            try refuseIfLate(memory, generation)
            try checkPage(of: step)
            switch step {
            case .complete(let session): return .complete(try await settle(session, memory, generation))
            case .identityConflict: return step
            default: return try await goOn(with: step, memory, generation)
            }
        } catch {
            // A session that the backend has made for an abandoned flow, or by another user's proof, is discarded.
            if [.flowAbandoned, .userMismatch].contains(error.code), let session = step.session { await discard(session) }
            throw error
        }
    }

    /// Takes a step that came after its caller had got `cancelled` or `timedOut`.
    ///
    /// The adapter's notes are kept, so that the call can be repeated. A session of the signed-in user is taken over, because its
    /// tokens may have used up the older ones; any other is ended at the backend: no user is signed in without the app's
    /// knowledge.
    func takeLate(_ step: SignInStep, _ memory: FlowMemory, _ generation: Int) async {
        await saveDeviceNotes(of: memory)
        guard core.withLock({ $0.generation == generation && $0.lastOrdinal == memory.ordinal }) else {
            if let session = step.session { await discard(session) }
            return
        }
        await keepProgress(of: memory)
        guard let session = step.session else { return }
        guard core.withLock({ $0.session?.user.id == session.user.id }) else { return await discard(session) }
        _ = try? await apply(step, memory, generation)
    }

    /// Ends a session at the backend that no user asked for; never the one that is in use.
    private func discard(_ session: Session) async {
        guard core.withLock({ $0.session?.isSame(as: session) != true }) else { return }
        await revoke(session)
    }

    private func refuseIfLate(_ memory: FlowMemory, _ generation: Int) throws(AuthError) {
        let isLate = core.withLock { $0.currentOrdinal > memory.ordinal || $0.generation != generation }
        guard !isLate else { throw .flowOvertaken }
    }

    /// The end of a flow: a session.
    private func settle(_ session: Session, _ memory: FlowMemory, _ generation: Int) async throws(AuthError) -> Session {
        try await enter(session, by: memory, generation) { core in
            core.pending = nil
            core.interrupted = nil
            self.askForProof(&core)
        }
        await persist(.flow)
        return session
    }

    /// Stores and shows a session, unless a newer flow, a sign-out or another user comes first.
    private func enter(
        _ session: Session, by memory: FlowMemory, _ generation: Int, _ body: @escaping @Sendable (inout ClientState) -> Void
    ) async throws(AuthError) {
        let ordinal = memory.ordinal
        let flow = FlowInterest(isWanted: { $0.currentOrdinal <= ordinal }) { core in
            core.currentOrdinal = ordinal
            body(&core)
        }
        let operation = SessionOperation(.enter(session, of: memory.expectedUser), in: generation)
        if case .failure(let error) = await run(operation, in: flow) { throw error }
    }

    /// Continues a flow: stores its step and notes, and a limited session where there is one.
    private func goOn(with step: SignInStep, _ memory: FlowMemory, _ generation: Int) async throws(AuthError) -> SignInStep {
        let record = FlowRecord(
            fingerprint: memory.fingerprint, ordinal: memory.ordinal, unfinished: UnfinishedStep(step), memory: memory.contents)
        let goOn: @Sendable (inout ClientState) -> Void = { core in
            let before = core.pending.flatMap { $0.memory.flow.id == record.memory.flow.id ? $0.steps : nil } ?? 0
            core.pending = record
            core.pending?.steps = before + 1
            core.interrupted = nil
        }
        if let limited = memory.limitedSession {
            try await enter(limited, by: memory, generation, goOn)
        } else {
            let isCurrent = change { core in
                guard core.generation == generation, core.currentOrdinal <= memory.ordinal else { return false }
                core.currentOrdinal = memory.ordinal
                goOn(&core)
                return true
            }
            guard isCurrent else { throw .flowOvertaken }
        }
        await persist(.flow)
        return step
    }

    /// Keeps the notes of a failed step: the answer may be given again, the call may be repeated.
    func keepProgress(of memory: FlowMemory) async {
        let changes = change { core in
            // A flow that was abandoned meanwhile does not come back.
            guard core.currentOrdinal <= memory.ordinal else { return false }
            if core.pending?.memory.flow.id == memory.flow.id {
                core.pending?.memory = memory.contents
                return true
            }
            guard !memory.completed.isEmpty, !memory.fingerprint.isEmpty else { return false }
            core.interrupted = FlowRecord(
                fingerprint: memory.fingerprint, ordinal: memory.ordinal, unfinished: nil, memory: memory.contents)
            return true
        }
        if changes { await persist(.flow) }
    }
}
