internal import CLockstepSystem

/// A socket that listens for TCP connections on 127.0.0.1, for tests that control every byte.
///
/// Each call **blocks its thread**, so make calls on a ``BlockingThread``.
public final class SocketListener: Sendable {
    /// The port on which the socket listens.
    public let port: Int
    private let descriptor: Descriptor

    /// Creates a socket and listens on a port.
    ///
    /// - Parameters:
    ///   - port: The port; 0 to let the system choose a port.
    ///   - backlog: The number of connections that can wait to be accepted. With 0, the system accepts one or two connections
    ///     automatically, and lets the next ones wait.
    /// - Throws: ``SystemError``.
    public init(port: Int = 0, backlog: Int = 128) throws(SystemError) {
        var chosen: Int32 = 0
        // The pointer is valid during the call.
        let number = unsafe lockstep_listen_loopback(Int32(port), Int32(backlog), &chosen)
        guard number >= 0 else { throw .last("listen on 127.0.0.1:\(port)") }
        descriptor = Descriptor(number)
        self.port = Int(chosen)
    }

    /// Reserves a port that rejects all connections, until ``close()`` is called.
    ///
    /// If a test closed its socket instead, another program could get the port at any time.
    ///
    /// - Throws: ``SystemError``.
    public static func refusingConnections() throws(SystemError) -> SocketListener { try SocketListener(backlog: -1) }

    /// Waits for a connection, and accepts it.
    ///
    /// - Parameter timeout: The longest time to wait.
    /// - Throws: ``SystemError/timedOut``; another error if the socket is closed.
    public func accept(within timeout: Duration = .seconds(60)) throws(SystemError) -> SocketConnection {
        let operation = "accept a connection on port \(port)"
        return try descriptor.use(operation) { number throws(SystemError) in
            try Descriptor.wait(for: number, POLLIN, within: timeout, operation)
            let connection = lockstep_accept(number)
            guard connection >= 0 else { throw .last(operation) }
            return SocketConnection(Descriptor(connection))
        }
    }

    /// Stops listening.
    ///
    /// Callers that wait in ``accept(within:)`` get an error.
    public func close() {
        descriptor.close { _ = shutdown($0, Int32(SHUT_RDWR)) }
    }
}
