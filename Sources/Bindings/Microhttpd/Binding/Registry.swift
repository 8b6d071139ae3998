internal import LockstepPrimitives
internal import Synchronization

/// The open connections of one server.
final class Registry: Sendable {
    private struct State {
        var peers: [ObjectIdentifier: Peer] = [:]
        var suspended: [ObjectIdentifier: Exchange] = [:]
        /// The suspended exchanges whose clients wait for an event.
        var patient: Set<ObjectIdentifier> = []
        /// The connections that were ended to make room, until libmicrohttpd has closed them.
        var ended: Set<ObjectIdentifier> = []
        /// The descriptors of connections with one of the last places that libmicrohttpd has not yet reported.
        var last: Set<Int32> = []
        /// The connections that were accepted and are not closed.
        var open = 0
        var isStopping = false
    }

    /// The numbers of connections.
    struct Use {
        /// The connections that were accepted and are not closed.
        let open: Int
        /// The open connections that are about to be closed to make room.
        let ending: Int
        /// The connections that wait for an event.
        let waiting: Int
    }

    private let state = Mutex(State())
    private let clock: any DeviceClock

    init(clock: any DeviceClock) {
        self.clock = clock
    }

    var use: Use {
        state.withLock { Use(open: $0.open, ending: $0.ended.count, waiting: $0.patient.count) }
    }

    /// Counts a connection that was accepted.
    func accept(_ descriptor: Int32, isLast: Bool) {
        state.withLock { state in
            state.open += 1
            if isLast { state.last.insert(descriptor) }
        }
    }

    /// Forgets a connection that was accepted and could not be added to libmicrohttpd.
    func drop(_ descriptor: Int32) {
        state.withLock { state in
            state.open -= 1
            state.last.remove(descriptor)
        }
    }

    /// Returns whether a new connection has one of the last places.
    func isLast(_ descriptor: Int32) -> Bool { state.withLock { $0.last.remove(descriptor) != nil } }

    func add(_ peer: Peer) {
        state.withLock { $0.peers[ObjectIdentifier(peer)] = peer }
    }

    /// Removes a connection.
    ///
    /// Call it before the descriptor is closed.
    func remove(_ peer: Peer) {
        state.withLock { state in
            state.peers[ObjectIdentifier(peer)] = nil
            state.ended.remove(ObjectIdentifier(peer))
            state.open -= 1
        }
    }

    /// The connection that this server can do without most easily.
    struct Candidate {
        let id: ObjectIdentifier
        let claim: Peer.Claim
        let age: Duration

        /// Whether the connection can be ended now: a client has a moment to send its request.
        var isRipe: Bool { claim == .waiting || age >= .milliseconds(250) }

        /// Whether the server can do without this connection more easily than without the other.
        func isBetter(than other: Candidate) -> Bool {
            if isRipe != other.isRipe { return isRipe }
            return claim == other.claim ? age > other.age : claim < other.claim
        }
    }

    /// The candidate of this server; `nil` if it needs all its connections.
    var candidate: Candidate? {
        let now = clock.uptime
        return state.withLock { state in
            var best: Candidate?
            for (id, peer) in state.peers where !state.ended.contains(id) {
                guard let (claim, since) = peer.claim else { continue }
                let candidate = Candidate(id: id, claim: claim, age: now - since)
                if best.map(candidate.isBetter) ?? true { best = candidate }
            }
            return best
        }
    }

    /// Ends a connection to make room, unless it is needed by now.
    func end(_ candidate: Candidate) {
        let waiting = state.withLock { state -> Exchange? in
            guard let peer = state.peers[candidate.id], peer.claim?.claim == candidate.claim else { return nil }
            state.ended.insert(candidate.id)
            return peer.giveWay()
        }
        waiting?.turnAway()
    }

    /// Adds an exchange that waits.
    ///
    /// It returns `false` if the server is stopping, so that the exchange must not wait.
    func add(_ exchange: Exchange, isPatient: Bool) -> Bool {
        state.withLock { state in
            if state.isStopping { return false }
            state.suspended[ObjectIdentifier(exchange)] = exchange
            if isPatient { state.patient.insert(ObjectIdentifier(exchange)) }
            return true
        }
    }

    /// Removes an exchange that has ended.
    ///
    /// If its response was ready before the server could turn it away, its connection stays open.
    func remove(_ exchange: Exchange) {
        state.withLock { state in
            if let peer = exchange.peer { state.ended.remove(ObjectIdentifier(peer)) }
            state.suspended[ObjectIdentifier(exchange)] = nil
            state.patient.remove(ObjectIdentifier(exchange))
        }
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
