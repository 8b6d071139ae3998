import LockstepSystem

/// A port where connecting hangs: its queue of connections that are not accepted is full.
final class FullListener: Sendable {
    private let listener: SocketListener
    private let queued: [SocketConnection]

    init() throws {
        listener = try SocketListener(backlog: 0)
        // Linux lets in one more than the backlog; the one after it would hang.
        queued = [try SocketConnection(port: listener.port)]
    }

    /// The address.
    var url: String { "http://127.0.0.1:\(listener.port)/" }

    /// Stops.
    func close() {
        listener.close()
    }
}
