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
        case suspended(Exchange)
    }

    let remoteAddress: String
    let localAddress: String
    private let descriptor: Int32
    private let phase: Mutex<Phase>

    init(descriptor: Int32, now: Duration) {
        self.descriptor = descriptor
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

    /// The time since which the client must send the first line or the rest of its request; `nil` while the server must
    /// respond.
    var silentSince: (hasBegun: Bool, since: Duration)? {
        switch phase.withLock({ $0 }) {
        case .idle(let since): (hasBegun: false, since: since)
        case .receiving(let since): (hasBegun: true, since: since)
        case .answering, .suspended: nil
        }
    }

    /// Ends the connection.
    ///
    /// The thread of libmicrohttpd notices that the connection is closed.
    ///
    /// Call it only while the connection is registered: then its descriptor is open and belongs to this connection.
    func end() {
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
        case .suspended(let exchange) where lockstep_socket_is_closed(descriptor) != 0: return exchange
        default: break
        }
        return nil
    }
}
