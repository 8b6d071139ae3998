internal import Synchronization

/// The connections that are open.
final class Registry: Sendable {
    private struct State {
        var peers: [ObjectIdentifier: Peer] = [:]
        var suspended: [ObjectIdentifier: Exchange] = [:]
        /// Connections that made room for others, until libmicrohttpd has closed them.
        var ended: Set<ObjectIdentifier> = []
        var isStopping = false
    }

    private let state = Mutex(State())

    /// Notes a new connection; where there are more than `limit` then, the one whose client has been silent longest is ended.
    ///
    /// One between two requests goes before one in the middle of a request; one that waits for this side's answer stays.
    func add(_ peer: Peer, limit: Int) {
        state.withLock { state in
            state.peers[ObjectIdentifier(peer)] = peer
            guard state.peers.count - state.ended.count > limit else { return }
            let silent = state.peers.compactMap { id, other in
                other === peer || state.ended.contains(id) ? nil : other.silentSince.map { (id: id, peer: other, silence: $0) }
            }
            let longest = silent.min { left, right in
                left.silence.hasBegun == right.silence.hasBegun
                    ? left.silence.since < right.silence.since : !left.silence.hasBegun
            }
            guard let longest else { return }
            state.ended.insert(longest.id)
            longest.peer.end()
        }
    }

    /// To be called before the descriptor is closed.
    func remove(_ peer: Peer) {
        state.withLock { state in
            state.peers[ObjectIdentifier(peer)] = nil
            state.ended.remove(ObjectIdentifier(peer))
        }
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

    /// Gives up all waiting exchanges.
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
