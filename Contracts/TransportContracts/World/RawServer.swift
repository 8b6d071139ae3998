import LockstepSystem
import Synchronization

/// A server that controls every byte.
///
/// A function serves each connection on its own thread.
final class RawServer: Sendable {
    private struct State {
        var accepted = 0
        var requests: [RawRequest] = []
        var connections: [SocketConnection] = []
    }

    private let listener: SocketListener
    private let state = Mutex(State())

    init(_ serve: @escaping @Sendable (RawConnection) throws -> Void) throws {
        listener = try SocketListener()
        try BlockingThread.start { [self] in
            while let socket = try? listener.accept(within: .seconds(120)) {
                let connection = RawConnection(socket, number: count(socket), server: self)
                // If the server fails, it closes the connection. The client notices that, and the check reports it.
                try? BlockingThread.start {
                    try? serve(connection)
                    socket.close()
                }
            }
        }
    }

    /// Returns the URL of a path.
    func url(_ path: String = "/") -> String { "http://127.0.0.1:\(listener.port)\(path)" }

    /// The number of accepted connections.
    var connections: Int { state.withLock { $0.accepted } }

    /// The received requests, in order.
    var requests: [RawRequest] { state.withLock { $0.requests } }

    func note(_ request: RawRequest) {
        state.withLock { $0.requests.append(request) }
    }

    /// Stops listening, and closes the open connections.
    func close() {
        listener.close()
        let connections = state.withLock { $0.connections }
        for connection in connections { connection.close() }
    }

    private func count(_ socket: SocketConnection) -> Int {
        state.withLock { state in
            state.accepted += 1
            state.connections.append(socket)
            return state.accepted
        }
    }
}
