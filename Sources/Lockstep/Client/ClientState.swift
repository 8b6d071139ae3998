internal import LockstepPrimitives

/// All that a client knows, as one value under one lock: the session, and the flow in progress.
struct ClientState: Sendable {
    var sessions = SessionMachine()
    /// The refresh of this generation: whoever needs one joins it.
    var refreshing = Shared<SessionErrand.Outcome>()
    var pending: FlowRecord?
    /// A sensitive call that runs when the flow in progress is completed.
    var bound: BoundCall?
    /// A call of several requests that failed on the way and can be gone on with.
    var interrupted: FlowRecord?
    /// Grows with every flow: a late answer of an older flow changes nothing.
    var lastOrdinal = 0
    var currentOrdinal = 0
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

    /// Takes an event of an errand; the flows of somebody who is not there any more go along with the session.
    mutating func take(
        _ event: SessionErrand.Event, of errand: inout SessionErrand, _ effects: Effects
    ) -> SessionErrand.Action {
        let before = generation
        let action = errand.take(event, &sessions, effects)
        if generation != before {
            refreshing = Shared()
            if case .enter = errand.purpose {} else { abandonFlows() }
        }
        if session?.user.standing != .unverified, session != nil, pending?.memory.flow.kind == .confirmation { pending = nil }
        return action
    }

    /// Forgets the session and every flow, as the app has asked; answers still on their way count no more.
    mutating func signOut(because reason: SignOutReason) {
        sessions.signOut(because: reason, isAskedFor: true)
        refreshing = Shared()
        abandonFlows()
    }

    mutating func abandonFlows() {
        pending = nil
        interrupted = nil
        lastOrdinal += 1
        currentOrdinal = lastOrdinal
    }

    mutating func ticket() -> Int {
        nextTicket += 1
        return nextTicket
    }

    /// Tells every subscriber of a change, inside the lock, so that all see all changes in one order.
    ///
    /// - Returns: the new state, where it is another one.
    mutating func publish() -> AuthState? {
        let state = authState
        guard state != shown else { return nil }
        shown = state
        for subscriber in subscribers.values { subscriber.yield(state) }
        return state
    }
}
