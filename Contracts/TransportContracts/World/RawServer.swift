import LockstepSystem
import Synchronization

/// A server that decides over every byte: each connection is served by a function, on a thread of its own.
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
                // A connection that the server could not serve is closed: the other end sees that, and the check reports it.
                try? BlockingThread.start {
                    try? serve(connection)
                    socket.close()
                }
            }
        }
    }

    /// The address of a path.
    func url(_ path: String = "/") -> String { "http://127.0.0.1:\(listener.port)\(path)" }

    /// How many connections were accepted.
    var connections: Int { state.withLock { $0.accepted } }

    /// The requests that were read, in order.
    var requests: [RawRequest] { state.withLock { $0.requests } }

    func note(_ request: RawRequest) {
        state.withLock { $0.requests.append(request) }
    }

    /// Stops listening and closes what is open.
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
