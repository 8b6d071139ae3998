internal import CLockstepMicrohttpd
internal import Synchronization

/// One connection from accept to close, with the values that the sweeper needs.
final class Peer: Sendable {
    /// The event that the connection waits for.
    enum Phase: Sendable {
        /// The client must send the first line of a request; it has had time since this moment.
        case idle(since: Duration)
        /// The client must send the rest of a request; it has had time since this moment.
        case receiving(since: Duration)
        /// The server must respond; the client does not cause the delay.
        case answering
        /// Another thread prepares the response of the server.
        ///
        /// A patient client waits for an event, so the server may turn it away for another client.
        case suspended(Exchange, isPatient: Bool, since: Duration)
    }

    /// Whether this connection has one of the last places.
    ///
    /// It gets only responses that are ready, and is closed afterwards.
    let isLast: Bool
    let remoteAddress: String
    let localAddress: String
    private let descriptor: Int32
    private let phase: Mutex<Phase>

    init(descriptor: Int32, isLast: Bool, now: Duration) {
        self.descriptor = descriptor
        self.isLast = isLast
        phase = Mutex(.idle(since: now))
        var text = [CChar](repeating: 0, count: 64)
        // The array has 64 bytes for both calls; inet_ntop ends its text with NUL within the given length.
        unsafe lockstep_socket_peer(descriptor, &text, socklen_t(text.count))
        remoteAddress = Self.read(text)
        unsafe lockstep_socket_here(descriptor, &text, socklen_t(text.count))
        localAddress = Self.read(text)
    }

    private static func read(_ text: [CChar]) -> String {
        String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// The connections that the server can end for another one, first the one that it can do without most easily.
    enum Claim: Int, Comparable {
        /// The client has sent nothing since the last response.
        case idle
        /// The client waits for an event.
        case waiting
        /// The client has sent only a part of a request.
        case receiving

        static func < (left: Claim, right: Claim) -> Bool { left.rawValue < right.rawValue }
    }

    /// What this connection is needed for, and since when; `nil` if it must not be ended.
    var claim: (claim: Claim, since: Duration)? {
        switch phase.withLock({ $0 }) {
        case .idle(let since): (.idle, since)
        case .suspended(_, let isPatient, let since): isPatient ? (.waiting, since) : nil
        case .receiving(let since): (.receiving, since)
        case .answering: nil
        }
    }

    /// Ends the connection for another one, unless its client waits for an event.
    ///
    /// It returns the exchange of such a client, which must be turned away.
    ///
    /// Call it only while the connection is registered: then its descriptor is open and belongs to this connection.
    func giveWay() -> Exchange? {
        if case .suspended(let exchange, _, _) = phase.withLock({ $0 }) { return exchange }
        end()
        return nil
    }

    /// Ends the connection.
    ///
    /// The thread of libmicrohttpd notices that the connection is closed.
    ///
    /// Call it only while the connection is registered: then its descriptor is open and belongs to this connection.
    private func end() {
        shutdown(descriptor, Int32(SHUT_RDWR))
    }

    func enter(_ new: Phase) {
        phase.withLock { $0 = new }
    }

    /// Ends the connection if the client took too long.
    ///
    /// It returns the exchange that still waits although its client has disconnected.
    ///
    /// Call it only while the connection is registered: then its descriptor is open and belongs to this connection.
    func sweep(at now: Duration, _ limits: HTTPDaemonConfiguration) -> Exchange? {
        switch phase.withLock({ $0 }) {
        case .idle(let since) where now - since > limits.idleTimeout: end()
        case .receiving(let since) where now - since > limits.requestTimeout: end()
        case .suspended(let exchange, _, _) where lockstep_socket_is_closed(descriptor) != 0: return exchange
        default: break
        }
        return nil
    }
}
