internal import LockstepPrimitives

/// The result of a write of the flows slot.
struct FlowsWritten: Sendable {
    fileprivate var base: StoredFlows
    /// The flow in progress, and its number of tried codes: by this client (`own`) and by all processes (`all`).
    fileprivate var counted: (flow: String, own: Int, all: Int)?
    fileprivate var wiped: FlowWipe?
}

/// The whole state of a client, as one value under one lock.
///
/// A method that needs only one part of the state belongs to that part.
struct ClientState: Sendable {
    /// The session of the signed-in user.
    var sessions = SessionState()
    /// The flow in progress, and the remaining data of ended flows.
    var flows = FlowState()
    /// The content of the store, and the pending writes.
    var store = StoreState()
    /// The streams that follow the state.
    var observers = ObserverState()

    var session: Session? { sessions.machine.session }
    var generation: Int { sessions.machine.generation }

    var snapshot: ClientSnapshot {
        ClientSnapshot(state: authState, pending: flows.pending?.step, identifier: flows.pending?.memory.address)
    }

    var authState: AuthState {
        switch sessions.machine.phase {
        case .restoring: return .restoring
        case .unavailable(let failure): return .unavailable(failure)
        case .ready: break
        }
        let challenge: Challenge? =
            if case .verify(let challenge) = flows.pending?.step, challenge.flow.kind == .confirmation { challenge } else { nil }
        guard let session else {
            return if let challenge { .unverified(PendingAccount(challenge: challenge)) } else {
                .signedOut(sessions.machine.reason)
            }
        }
        switch session.user.standing {
        case .anonymous: return .anonymous(session)
        case .unverified:
            return .unverified(PendingAccount(challenge: challenge ?? otherChallenge(of: session), session: session))
        case .verified: return .signedIn(session)
        }
    }

    /// Returns the challenge of an unverified user while another flow is in progress, such as a password reset.
    ///
    /// When that flow ends, the user must again complete the verification of the address.
    private func otherChallenge(of session: Session) -> Challenge {
        if let challenge = flows.pending?.step?.challenge { return challenge }
        let flow =
            flows.pending?.memory.flow
            ?? Flow(id: "confirm", kind: .confirmation, capability: .password, startedAt: session.lifetime.receivedAt)
        return Challenge(
            flow: flow, channel: .email, destination: session.user.email.map(EmailAddress.masked) ?? "",
            accepts: flows.pending?.step?.accepts ?? [])
    }

    /// Applies an event of an operation.
    ///
    /// If the event signs the user out, the flows are removed together with the session.
    mutating func take(
        _ event: SessionOperation.Event, of operation: inout SessionOperation, _ effects: ClientEffects
    ) -> SessionOperation.Action {
        let before = generation
        let action = operation.take(event, &sessions.machine, effects)
        if generation != before {
            sessions.leaveSharedCalls()
            flows.conflict = nil
            if case .enter = operation.purpose {
            } else {
                flows.abandon()
                sessionHasEnded(at: effects.clock.now)
            }
        }
        if session?.user.standing != .unverified, session != nil, flows.pending?.memory.flow.kind == .confirmation {
            flows.pending = nil
        }
        return action
    }

    /// Removes the session and every flow, because the app asked for it; later responses are rejected.
    mutating func signOut(because reason: SignOutReason, at now: Instant) {
        sessions.machine.signOut(because: reason, isAskedFor: true)
        sessions.leaveSharedCalls()
        flows.abandon()
        sessionHasEnded(at: now)
    }

    /// Prepares the writes after the end of a session: the user's flows are removed, and the reason is stored.
    private mutating func sessionHasEnded(at now: Instant) {
        store.unwritten.insert(.flow)
        if session == nil, !sessions.replaced.isEmpty {
            // These notes are stored with the session, and would be removed with it.
            store.revocations.toNote += sessions.replaced.filter { !store.revocations.toNote.contains($0) }
            sessions.replaced = []
            store.unwritten.insert(.revocations)
        }
        guard session == nil, sessions.machine.reason.isKept else { return }
        store.wipesFlows = FlowWipe(generation: generation, instant: now)
        store.unwritten.insert(.signOut)
    }

    /// Publishes a change to every subscriber, inside the lock, so that all see all changes in one order.
    ///
    /// - Returns: The new state if it looks different to a subscriber.
    mutating func publish() -> AuthState? { observers.publish(snapshot) }
}

extension ClientState {
    var isRestored: Bool {
        if case .ready = sessions.machine.phase { true } else { false }
    }

    /// Whether a relaunch will find the client's state.
    var persistence: Persistence {
        let failure =
            sessions.machine.refusal ?? store.othersRefusal.map(StoreFailure.init)
            ?? StoreKey.Slot.allCases.lazy.compactMap { store.refused[$0] }.first
        return failure.map { .memoryOnly($0) } ?? .stored
    }

    /// Whether a store access has failed and must be tried again.
    var hasPendingWrites: Bool {
        if case .unavailable = sessions.machine.phase {
            true
        } else {
            sessions.machine.pendingWrite != nil || !store.refused.isEmpty || store.othersRefusal != nil
        }
    }
}

// MARK: Flows

extension ClientState {
    /// Uses the flows that the store contained at the start of the app.
    mutating func restored(_ stored: StoredFlows?) {
        flows.restore(stored ?? StoredFlows())
        store.flows = stored ?? StoredFlows()
    }

    /// Uses a flow that another process has started since this client last read the store.
    ///
    /// A flow that this client has ended stays ended, and a flow of another user is not used.
    mutating func adopt(_ stored: FlowRecord, _ effects: ClientEffects) {
        let isForeign = stored.memory.user.map { $0.exact != session?.user.id.exact } ?? false
        guard flows.pending == nil, store.wipesFlows == nil, !store.flows.ids.contains(stored.memory.flow.id), !isForeign,
            !stored.isOver(on: effects.clock)
        else { return }
        var record = stored
        record.ordinal = flows.currentOrdinal
        flows.pending = record
        store.flows.pending = record
    }

    /// Returns the change that writes this client's flows to the store, and the values to note after the write.
    ///
    /// A flow that another process started is removed only by a sign-out.
    func flowsToStore(over slot: StoredSlot<StoredFlows>.Content) -> (StoredSlot<StoredFlows>.Change, FlowsWritten) {
        let there = slot.value ?? StoredFlows()
        let merge = FlowMerge(
            StoredFlows(pending: flows.storedPending, interrupted: flows.interrupted, conflict: flows.conflict),
            from: store.flows,
            with: store.wipesFlows.map { there.surviving($0) } ?? there, isDamaged: slot.isDamaged)
        var written = FlowsWritten(base: merge.base, wiped: store.wipesFlows)
        if let own = flows.storedPending, let all = merge.result.pending, own.memory.flow.id == all.memory.flow.id {
            written.counted = (own.memory.flow.id, own.guesses ?? 0, all.guesses ?? 0)
            if written.base.pending?.memory.flow.id == own.memory.flow.id { written.base.pending?.guesses = all.guesses }
        }
        if merge.result == there { return (.keep, written) }
        return (merge.result.ids.isEmpty ? .remove : .write(merge.result), written)
    }

    /// Notes that the change is stored.
    mutating func stored(_ written: FlowsWritten) {
        store.flows = written.base
        // Codes that were counted here during the write are added to the stored number.
        if let counted = written.counted, counted.own != counted.all, flows.pending?.memory.flow.id == counted.flow {
            let guesses = flows.pending?.guesses ?? 0
            flows.pending?.guesses = max(0, guesses + counted.all - counted.own)
        }
        if store.wipesFlows == written.wiped { store.wipesFlows = nil }
    }

    /// Whether the flow in progress verifies the address of a user who is already signed in.
    ///
    /// Cancelling such a flow has no effect.
    var isProofDue: Bool { flows.pending.map(isDueProof) ?? false }

    private func isDueProof(_ record: FlowRecord) -> Bool {
        guard let session, session.user.standing == .unverified else { return false }
        return record.memory.flow.kind == .confirmation && record.memory.user?.exact == session.user.id.exact
    }

    /// Begins or continues a flow; a due verification waits until that flow ends.
    mutating func setPending(_ record: FlowRecord) {
        if let pending = flows.pending, pending.memory.flow.id != record.memory.flow.id, isDueProof(pending) {
            flows.suspendedVerification = pending
        }
        flows.pending = record
    }

    /// Gives an unverified session without a flow its suspended verification, or a new one.
    ///
    /// So the app can always show a challenge.
    mutating func askForProof(_ adapter: any AuthAdapter, _ effects: ClientEffects) {
        guard let session, session.user.standing == .unverified else {
            flows.suspendedVerification = nil
            return
        }
        guard flows.pending == nil else { return }
        if var due = flows.suspendedVerification, isDueProof(due), !due.isOver(on: effects.clock) {
            due.ordinal = flows.currentOrdinal
            flows.pending = due
        } else {
            flows.pending = newProof(of: session, adapter, effects)
        }
        flows.suspendedVerification = nil
    }

    /// Returns a verification for which, as far as this device knows, the backend has sent no message.
    private func newProof(of session: Session, _ adapter: any AuthAdapter, _ effects: ClientEffects) -> FlowRecord {
        let flow = Flow(
            id: "confirm-" + effects.randomness.text(16), kind: .confirmation, capability: .password, startedAt: effects.clock.now
        )
        let memory = FlowMemory(FlowMemory.Contents(flow: flow, user: session.user.id), session: session)
        let challenge = adapter.addressVerification?.challenge(for: session, in: memory) ?? adapter.plainProof(of: session, flow)
        return FlowRecord(
            fingerprint: "", ordinal: flows.currentOrdinal, unfinished: .verify(challenge), memory: memory.contents)
    }
}

extension AuthAdapter {
    /// Returns the default challenge of an unverified user, for an adapter that specifies none.
    ///
    /// It offers only the verifications that need no message of this flow.
    fileprivate func plainProof(of session: Session, _ flow: Flow) -> Challenge {
        let proofs = verification.filter { [.confirmationCode, .confirmationLink, .poll].contains($0.capability) }
        let accepts = ChallengeResponse.Kind.allCases.filter { kind in proofs.contains { $0.accepts(kind, in: .confirmation) } }
        return Challenge(
            flow: flow, channel: .email, destination: session.user.email.map(EmailAddress.masked) ?? "", accepts: Set(accepts),
            ending: accepts.isEmpty ? .webPage : nil)
    }
}
