internal import LockstepPrimitives
internal import Synchronization

extension AuthClient {
    /// Makes a step of a flow what the client knows: the session is stored and shown, or the flow goes on.
    ///
    /// - Throws: `flowAbandoned` where a newer flow, a sign-out or another user came first: nothing is changed then.
    func apply(_ step: SignInStep, _ memory: FlowMemory, _ generation: Int) async throws(AuthError) -> SignInStep {
        try refuseIfLate(memory, generation)
        try checkPage(of: step)
        switch step {
        case .complete(let session): return .complete(try await settle(session, memory, generation))
        case .identityConflict: return step
        default: return try await goOn(with: step, memory, generation)
        }
    }

    private func refuseIfLate(_ memory: FlowMemory, _ generation: Int) throws(AuthError) {
        let isLate = core.withLock { $0.currentOrdinal > memory.ordinal || $0.generation != generation }
        guard !isLate else { throw .flowOvertaken }
    }

    /// The end of a flow: a session.
    private func settle(_ session: Session, _ memory: FlowMemory, _ generation: Int) async throws(AuthError) -> Session {
        let current = core.withLock { $0.session }
        if [.linking, .reauthentication, .emailChange].contains(memory.flow.kind), let current, current.user.id != session.user.id
        {
            throw AuthError(.userMismatch, "The proof belongs to another user than the one signed in. Nothing was changed.")
        }
        try await enter(session, by: memory, generation) { core in
            core.pending = nil
            core.interrupted = nil
            self.askForProof(&core)
        }
        await saveFlows()
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
        if case .failure(let error) = await run(SessionErrand(.enter(session), in: generation), in: flow) { throw error }
    }

    /// A flow that is not at its end: its step and notes are kept, and a limited session where there is one.
    private func goOn(with step: SignInStep, _ memory: FlowMemory, _ generation: Int) async throws(AuthError) -> SignInStep {
        let record = FlowRecord(
            fingerprint: memory.fingerprint, ordinal: memory.ordinal, unfinished: UnfinishedStep(step), memory: memory.contents)
        let goOn: @Sendable (inout ClientState) -> Void = { core in
            core.pending = record
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
        await saveFlows()
        return step
    }

    /// Keeps what a failed step has noted: the answer may be given again, the call may be repeated.
    func keepProgress(of memory: FlowMemory) async {
        let changes = change { core in
            if core.pending?.memory.flow.id == memory.flow.id {
                core.pending?.memory = memory.contents
                return true
            }
            guard !memory.completed.isEmpty, !memory.fingerprint.isEmpty else { return false }
            core.interrupted = FlowRecord(
                fingerprint: memory.fingerprint, ordinal: memory.ordinal, unfinished: nil, memory: memory.contents)
            return true
        }
        if changes { await saveFlows() }
    }

    // MARK: Storing

    /// Writes the flows as memory has them; the sink hears of a failure, and the flow goes on in memory.
    func saveFlows() async {
        do throws(StoreError) {
            for _ in 0..<8 {
                let flows = core.withLock { StoredFlows(pending: $0.pending, interrupted: $0.interrupted) }
                if flows.pending == nil, flows.interrupted == nil { return try await store.remove(key(.flow)) }
                let bytes = try Envelope(flows).bytes()
                do throws(StoreError) {
                    let revision = try await store.load(key(.flow))?.revision
                    try await store.replace(key(.flow), with: bytes, unlessChangedSince: revision)
                    return
                } catch  where error.code == .conflict {}
            }
        } catch {
            tell(.persistenceFailed, [.code: error.code.rawValue])
        }
    }

    /// What the provider wants to recognise this device by.
    func deviceNotes() async throws(AuthError) -> [String: Secret] {
        do throws(StoreError) {
            guard let value = try await store.load(key(.device)) else { return [:] }
            return try Envelope<[String: Secret]>.value(of: value.bytes)
        } catch  where error.code == .corrupt {
            return [:]
        } catch {
            throw AuthError(.storeUnavailable, error.message, retry: .now, underlying: error)
        }
    }

    func saveDeviceNotes(of memory: FlowMemory) async {
        guard let notes = memory.changedDeviceNotes else { return }
        do throws(StoreError) {
            let revision = try await store.load(key(.device))?.revision
            try await store.replace(key(.device), with: Envelope(notes).bytes(), unlessChangedSince: revision)
        } catch {
            tell(.persistenceFailed, [.code: error.code.rawValue])
        }
    }
}
