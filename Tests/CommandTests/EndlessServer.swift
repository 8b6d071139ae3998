import LockstepSystem
import Synchronization

/// A server on its own port that begins a response and never ends it.
final class EndlessServer: Sendable {
    private let listener: SocketListener
    private let count = Mutex(0)

    /// The address.
    var url: String { "http://127.0.0.1:\(listener.port)" }

    /// The number of bytes that clients have accepted.
    var sent: Int { count.withLock { $0 } }

    private init() throws { listener = try SocketListener() }

    /// Runs a server for as long as `body` takes.
    ///
    /// - Parameters:
    ///   - start: The beginning of the body; white space follows, without end.
    ///   - body: Uses the server.
    /// - Throws: What `body` throws.
    static func with(startingWith start: String, _ body: (EndlessServer) async throws -> Void) async throws {
        let server = try EndlessServer()
        async let ended: Void = BlockingThread.run { server.answer(start) }
        do {
            try await body(server)
        } catch {
            server.listener.close()
            _ = try? await ended
            throw error
        }
        server.listener.close()
        try await ended
    }

    /// Answers one client after another, until the listener is closed.
    private func answer(_ start: String) {
        let chunk = [UInt8](repeating: 0x20, count: 1 << 16)
        while let connection = try? listener.accept() {
            defer { connection.close() }
            _ = try? connection.read()
            do {
                try connection.write("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n" + start)
                while true {
                    try connection.write(chunk)
                    count.withLock { $0 += chunk.count }
                }
            } catch {
                continue
            }
        }
    }
}
