import LockstepSystem

/// A port on which every connection attempt waits, because its queue of waiting connections is full.
final class FullListener: Sendable {
    private let listener: SocketListener
    private let queued: [SocketConnection]

    init() throws {
        listener = try SocketListener(backlog: 0)
        // Linux accepts one connection more than the backlog. The next connection waits.
        queued = [try SocketConnection(port: listener.port)]
    }

    /// The URL of the port.
    var url: String { "http://127.0.0.1:\(listener.port)/" }

    /// Closes the port.
    func close() {
        listener.close()
    }
}
