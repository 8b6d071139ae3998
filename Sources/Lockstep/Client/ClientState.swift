internal import LockstepPrimitives

/// All that a client knows, as one value under one lock: the session, and the flow in progress.
struct ClientState: Sendable {
    var sessions = SessionMachine()
    /// The refresh of this generation: whoever needs one joins it.
    var refreshing = Shared<SessionOperation.Outcome>()
    var pending: FlowRecord?
    /// A sensitive call that runs when the flow in progress is completed.
    var bound: BoundCall?
    /// A call of several requests that failed on the way and can be gone on with.
    var interrupted: FlowRecord?
    /// Grows with every flow: a late answer of an older flow changes nothing.
    var lastOrdinal = 0
    var currentOrdinal = 0
    /// The flows that this client has seen in the store, or put there.
    var storedFlows: Set<String> = []
    /// In which generation the user has signed out: whatever flow is stored has to go; `nil` when it has gone.
    var wipesFlows: Int?
    /// What adapters have noted of this device since it was last written.
    var deviceChanges: [String: Secret?] = [:]
    /// What has to be changed in the stored list of revocations.
    var revocations = RevocationChanges()
    /// The slots whose last write the store has refused: they are tried again.
    var refused: [StoreKey.Slot: StoreFailure] = [:]
    /// The slots that the end of a session leaves to be written.
    var owed: Set<StoreKey.Slot> = []
    /// Whether the store may hold sign-outs that the backend has not heard of.
    var owesRevocations = false
    /// Whether somebody is at what the store has refused.
    var isSettling = false
    var nextTicket = 0
    var subscribers: [Int: AsyncStream<AuthState>.Continuation] = [:]
    var shown: AuthState?

    var session: Session? { sessions.session }
    /// The step that a flow is at; `nil` where it is not in progress.
    func step(of flow: Flow?) -> SignInStep? {
        guard let flow, pending?.memory.flow.id == flow.id else { return nil }
        return pending?.step
    }

    var generation: Int { sessions.generation }

    var authState: AuthState {
        switch sessions.phase {
        case .restoring: return .restoring
        case .unavailable(let failure): return .unavailable(failure)
        case .ready: break
        }
        let challenge: Challenge? =
            if case .verify(let challenge) = pending?.step, challenge.flow.kind == .confirmation { challenge } else { nil }
        guard let session else {
            return if let challenge { .unverified(Pending(challenge: challenge)) } else { .signedOut(sessions.reason) }
        }
        switch (session.user.standing, challenge) {
        case (.anonymous, _): return .anonymous(session)
        case (.unverified, let challenge?): return .unverified(Pending(challenge: challenge, session: session))
        case (.verified, _), (.unverified, nil): return .signedIn(session)
        }
    }

    /// Takes an event of an operation; the flows of somebody who is not there any more go along with the session.
    mutating func take(
        _ event: SessionOperation.Event, of operation: inout SessionOperation, _ effects: Effects
    ) -> SessionOperation.Action {
        let before = generation
        let action = operation.take(event, &sessions, effects)
        if generation != before {
            refreshing = Shared()
            if case .enter = operation.purpose {
            } else {
                abandonFlows()
                sessionHasEnded()
            }
        }
        if session?.user.standing != .unverified, session != nil, pending?.memory.flow.kind == .confirmation { pending = nil }
        return action
    }

    /// Forgets the session and every flow, as the app has asked; answers still on their way count no more.
    mutating func signOut(because reason: SignOutReason) {
        sessions.signOut(because: reason, isAskedFor: true)
        refreshing = Shared()
        abandonFlows()
        sessionHasEnded()
    }

    /// Has written what the end of a session leaves: that no flow of the user's is there any more, and why it ended.
    private mutating func sessionHasEnded() {
        owed.insert(.flow)
        guard session == nil, sessions.reason.isKept else { return }
        wipesFlows = generation
        owed.insert(.signOut)
    }

    mutating func abandonFlows() {
        pending = nil
        interrupted = nil
        lastOrdinal += 1
        currentOrdinal = lastOrdinal
    }

    /// Takes the flows that were stored when the app was started.
    mutating func restored(_ flows: StoredFlows?) {
        pending = flows?.pending
        interrupted = flows?.interrupted
        storedFlows = flows?.ids ?? []
        lastOrdinal = pending?.ordinal ?? 0
        currentOrdinal = lastOrdinal
    }

    /// What becomes of the stored flows, as memory has them now.
    ///
    /// A flow that was stored and is not there any more was cancelled or overtaken in another process, and is not brought back; one
    /// that another process has begun is not removed, but by a sign-out.
    func flowsToStore(over slot: StoredSlot<StoredFlows>) -> SlotChange<StoredFlows> {
        let there = slot.value?.ids ?? []
        func isWanted(_ record: FlowRecord) -> Bool {
            slot.isDamaged || !storedFlows.contains(record.memory.flow.id) || there.contains(record.memory.flow.id)
        }
        let flows = StoredFlows(
            pending: pending.flatMap { isWanted($0) ? $0 : nil }, interrupted: interrupted.flatMap { isWanted($0) ? $0 : nil })
        if !flows.ids.isEmpty { return .write(flows) }
        return wipesFlows != nil || there.isSubset(of: storedFlows) ? .remove : .keep
    }

    mutating func ticket() -> Int {
        nextTicket += 1
        return nextTicket
    }

    /// Tells every subscriber of a change, inside the lock, so that all see all changes in one order.
    ///
    /// - Returns: the new state, where it is another one for whoever looks at it.
    mutating func publish() -> AuthState? {
        let state = authState
        guard shown.map({ $0.looksLike(state) }) != true else { return nil }
        shown = state
        for subscriber in subscribers.values { subscriber.yield(state) }
        return state
    }
}
