import LockstepMicrohttpd
import LockstepPrimitives
import LockstepSystem
import Synchronization

/// Echoes each request, and keeps waiting connections for the test.
final class EchoServer: ServerHandler {
    private let waiting = Mutex<[ServerPromise]>([])
    private let abandoned = Mutex(0)

    var promises: [ServerPromise] { waiting.withLock { $0 } }
    var abandonments: Int { abandoned.withLock { $0 } }

    func answer(_ request: ServerRequest) -> ServerReply {
        switch request.target {
        case "/later":
            .later { promise in promise.keep(ServerResponse(status: 200, body: Array("later".utf8))) }
        case "/never":
            .later { promise in
                promise.whenAbandoned { self.abandoned.withLock { $0 += 1 } }
                self.waiting.withLock { $0.append(promise) }
            }
        case "/event": .waiting { promise in self.waiting.withLock { $0.append(promise) } }
        case "/silence": .now(.silence)
        case "/truncate":
            .now(ServerResponse(status: 200, body: [UInt8](repeating: 65, count: 100_000), ending: .truncate(after: 10_000)))
        case "/cookies": .now(ServerResponse(status: 200, headers: [("Set-Cookie", "a=1"), ("Set-Cookie", "b=2")]))
        case "/nothing": .now(ServerResponse(status: 204))
        case let target where target.hasPrefix("/location/"): .now(ServerResponse(status: 302, headers: [("Location", target)]))
        case "/forged": .now(ServerResponse(status: 200, headers: [("X-Name", "a\r\nSet-Cookie: b")]))
        default:
            .now(
                ServerResponse(
                    status: 200, headers: [("Content-Type", "text/plain")],
                    body: Array("\(request.method) \(request.target) \(request.remoteAddress) ".utf8) + request.body))
        }
    }

    func answer(_ refusal: ServerRefusal, of request: ServerRequest) -> ServerResponse {
        ServerResponse(status: refusal.status, body: Array("\(refusal)".utf8))
    }
}

/// Writes `text` to a new connection and reads until the server closes it.
func exchange(_ text: String, on port: UInt16) async throws -> String {
    try await exchange(Array(text.utf8), on: port)
}

func exchange(_ bytes: [UInt8], on port: UInt16) async throws -> String {
    try await BlockingThread.run {
        let connection = try SocketConnection(port: Int(port))
        // A server that rejects early can close before everything is written.
        try? connection.write(bytes)
        return try readToEnd(connection)
    }
}

func readToEnd(_ connection: SocketConnection) throws -> String {
    var response: [UInt8] = []
    while let piece = try? connection.read(), !piece.isEmpty { response += piece }
    return String(decoding: response, as: UTF8.self)
}
