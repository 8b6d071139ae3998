internal import Synchronization

/// The connections that are open.
final class Registry: Sendable {
    private struct State {
        var peers: [ObjectIdentifier: Peer] = [:]
        var suspended: [ObjectIdentifier: Exchange] = [:]
        var isStopping = false
    }

    private let state = Mutex(State())

    func add(_ peer: Peer) {
        state.withLock { $0.peers[ObjectIdentifier(peer)] = peer }
    }

    /// To be called before the descriptor is closed.
    func remove(_ peer: Peer) {
        _ = state.withLock { $0.peers.removeValue(forKey: ObjectIdentifier(peer)) }
    }

    /// Notes that an exchange waits; false when the daemon is stopping, and nothing may wait any more.
    func add(_ exchange: Exchange) -> Bool {
        state.withLock { state in
            if !state.isStopping { state.suspended[ObjectIdentifier(exchange)] = exchange }
            return !state.isStopping
        }
    }

    func remove(_ exchange: Exchange) {
        _ = state.withLock { $0.suspended.removeValue(forKey: ObjectIdentifier(exchange)) }
    }

    /// Gives up all that wait.
    ///
    /// From then on nothing waits.
    func stop() {
        let waiting = state.withLock { state in
            state.isStopping = true
            return Array(state.suspended.values)
        }
        for exchange in waiting { exchange.abandon() }
    }

    /// Looks at every open connection; while it does, no descriptor is closed.
    func sweep(at now: Duration, _ limits: HTTPDaemonConfiguration) {
        let gone = state.withLock { state in state.peers.values.compactMap { $0.sweep(at: now, limits) } }
        for exchange in gone { exchange.abandon() }
    }
}
