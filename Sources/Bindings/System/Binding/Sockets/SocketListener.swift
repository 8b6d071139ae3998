internal import CLockstepSystem

/// A TCP socket that listens on 127.0.0.1, for tests that control every byte.
///
/// Its calls **block their thread**, so run them on a ``BlockingThread``.
public final class SocketListener: Sendable {
    /// The port on which it listens.
    public let port: Int
    private let descriptor: Descriptor

    /// Listens on a port.
    ///
    /// With a `backlog` of 0, the system responds for one or two connections that are never accepted, and lets the next
    /// ones wait.
    ///
    /// - Parameters:
    ///   - port: The port; 0 lets the system choose one.
    ///   - backlog: The number of connections that wait to be accepted.
    /// - Throws: ``SystemError``.
    public init(port: Int = 0, backlog: Int = 128) throws(SystemError) {
        var chosen: Int32 = 0
        // The pointer is valid for the call.
        let number = unsafe lockstep_listen_loopback(Int32(port), Int32(backlog), &chosen)
        guard number >= 0 else { throw .last("listen on 127.0.0.1:\(port)") }
        descriptor = Descriptor(number)
        self.port = Int(chosen)
    }

    /// Reserves a port that rejects connections until ``close()``.
    ///
    /// The port of a closed listener may belong to another program at any time.
    ///
    /// - Returns: The owner of the port, which accepts nothing.
    /// - Throws: ``SystemError``.
    public static func refusingConnections() throws(SystemError) -> SocketListener { try SocketListener(backlog: -1) }

    /// Waits for a connection.
    ///
    /// - Parameter timeout: The maximum time to wait.
    /// - Returns: The connection.
    /// - Throws: ``SystemError/timedOut``, or another error after it was closed.
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
