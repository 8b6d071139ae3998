internal import Synchronization

/// The open connections.
final class Registry: Sendable {
    private struct State {
        var peers: [ObjectIdentifier: Peer] = [:]
        var suspended: [ObjectIdentifier: Exchange] = [:]
        /// The connections that were ended to make room, until libmicrohttpd has closed them.
        var ended: Set<ObjectIdentifier> = []
        var isStopping = false
    }

    private let state = Mutex(State())

    /// Adds a new connection.
    ///
    /// If there are then more than `limit` connections, the one whose client has been silent for the longest time is ended.
    ///
    /// A connection between two requests is ended before one in the middle of a request. A connection that waits for the server's
    /// response is not ended.
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

    /// Removes a connection.
    ///
    /// Call it before the descriptor is closed.
    func remove(_ peer: Peer) {
        state.withLock { state in
            state.peers[ObjectIdentifier(peer)] = nil
            state.ended.remove(ObjectIdentifier(peer))
        }
    }

    /// Adds an exchange that waits.
    ///
    /// It returns `false` if the server is stopping, so that the exchange must not wait.
    func add(_ exchange: Exchange) -> Bool {
        state.withLock { state in
            if !state.isStopping { state.suspended[ObjectIdentifier(exchange)] = exchange }
            return !state.isStopping
        }
    }

    func remove(_ exchange: Exchange) {
        _ = state.withLock { $0.suspended.removeValue(forKey: ObjectIdentifier(exchange)) }
    }

    /// Ends all waiting exchanges.
    ///
    /// After this call, no exchange can wait.
    func stop() {
        let waiting = state.withLock { state in
            state.isStopping = true
            return Array(state.suspended.values)
        }
        for exchange in waiting { exchange.abandon() }
    }

    /// Checks every open connection.
    ///
    /// Meanwhile no descriptor is closed.
    func sweep(at now: Duration, _ limits: HTTPDaemonConfiguration) {
        let gone = state.withLock { state in state.peers.values.compactMap { $0.sweep(at: now, limits) } }
        for exchange in gone { exchange.abandon() }
    }
}
