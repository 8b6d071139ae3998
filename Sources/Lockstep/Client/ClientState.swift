internal import LockstepPrimitives

/// All that a client knows, as one value under one lock.
struct ClientState: Sendable {
    enum Phase: Sendable {
        case restoring
        case ready
        case unavailable(StoreFailure)
    }

    /// A refresh on its way, with those who wait for it.
    struct Refresh: Sendable {
        let generation: Int
        var waiters: [Int: CheckedContinuation<Result<Session, AuthError>, Never>] = [:]
    }

    var phase = Phase.restoring
    var session: Session?
    /// Whether the session in memory is newer than the stored one, because a write failed.
    var isUnsaved = false
    var reason = SignOutReason.neverSignedIn
    var pending: FlowRecord?
    /// A call of several requests that failed on the way and can be gone on with.
    var interrupted: FlowRecord?
    /// Grows with every change of who is signed in: an answer to a question of an older generation counts no more.
    var generation = 0
    /// Grows with every flow: a late answer of an older flow changes nothing.
    var lastOrdinal = 0
    var currentOrdinal = 0
    var refreshes: [Int: Refresh] = [:]
    /// Callers that were cancelled before they could join.
    var cancelledTickets: Set<Int> = []
    var nextTicket = 0
    var subscribers: [Int: AsyncStream<AuthState>.Continuation] = [:]
    var shown: AuthState?

    var authState: AuthState {
        switch phase {
        case .restoring: return .restoring
        case .unavailable(let failure): return .unavailable(failure)
        case .ready: break
        }
        let challenge: Challenge? =
            if case .verify(let challenge) = pending?.step, challenge.flow.kind == .confirmation { challenge } else { nil }
        guard let session else {
            return if let challenge { .unverified(Pending(challenge: challenge)) } else { .signedOut(reason) }
        }
        switch (session.user.standing, challenge) {
        case (.anonymous, _): return .anonymous(session)
        case (.unverified, let challenge?): return .unverified(Pending(challenge: challenge, session: session))
        case (.verified, _), (.unverified, nil): return .signedIn(session)
        }
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
