internal import LockstepPrimitives

/// The streams that follow the state, and the last value that they got.
struct ObserverState: Sendable {
    private var lastTicket = 0
    var subscribers: [Int: AsyncStream<AuthState>.Continuation] = [:]
    var followers: [Int: AsyncStream<ClientSnapshot>.Continuation] = [:]
    private var shown: AuthState?
    private var lastSnapshot: ClientSnapshot?

    /// The number of the next stream.
    mutating func ticket() -> Int {
        lastTicket += 1
        return lastTicket
    }

    /// Sends a change to every stream whose subscriber would see a difference.
    ///
    /// - Returns: The new state if it looks different to a subscriber.
    mutating func publish(_ snapshot: ClientSnapshot) -> AuthState? {
        if lastSnapshot?.looksLike(snapshot) != true {
            lastSnapshot = snapshot
            for follower in followers.values { follower.yield(snapshot) }
        }
        let state = snapshot.state
        guard shown.map({ $0.looksLike(state) }) != true else { return nil }
        shown = state
        for subscriber in subscribers.values { subscriber.yield(state) }
        return state
    }

    /// Ends every stream.
    func finish() {
        for subscriber in subscribers.values { subscriber.finish() }
        for follower in followers.values { follower.finish() }
    }
}
