internal import CLockstepSystem

/// A TCP socket that listens on 127.0.0.1, for tests that must decide over every byte.
///
/// Its calls **block their thread**; run them on a ``BlockingThread``.
public final class SocketListener: Sendable {
    /// The port it listens on.
    public let port: Int
    private let descriptor: Descriptor

    /// Listens on a port; 0 lets the system choose one.
    ///
    /// With `backlog` 0 the system answers for one or two connections that are never accepted, and lets the next ones hang.
    public init(port: Int = 0, backlog: Int = 128) throws(SystemError) {
        var chosen: Int32 = 0
        // The pointer is valid for the call.
        let number = unsafe lockstep_listen_loopback(Int32(port), Int32(backlog), &chosen)
        guard number >= 0 else { throw .last("listen on 127.0.0.1:\(port)") }
        descriptor = Descriptor(number)
        self.port = Int(chosen)
    }

    /// Reserves a port on which connections are refused until ``close()``.
    ///
    /// The port of a listener that was closed may be another program's at any time.
    ///
    /// - Returns: the port's owner, which accepts nothing.
    public static func refusingConnections() throws(SystemError) -> SocketListener { try SocketListener(backlog: -1) }

    /// Waits for a connection.
    ///
    /// - Throws: ``SystemError/timedOut``, or another error once it is closed.
    public func accept(within timeout: Duration = .seconds(60)) throws(SystemError) -> SocketConnection {
        let operation = "accept a connection on port \(port)"
        return try descriptor.use(operation) { number throws(SystemError) in
            try Descriptor.wait(for: number, POLLIN, within: timeout, operation)
            let connection = lockstep_accept(number)
            guard connection >= 0 else { throw .last(operation) }
            return SocketConnection(Descriptor(connection))
        }
    }

    /// Stops listening; who waits in ``accept(within:)`` gets an error.
    public func close() {
        descriptor.close { _ = shutdown($0, Int32(SHUT_RDWR)) }
    }
}
