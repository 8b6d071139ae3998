import LockstepSystem

/// An attacker on the connection who removes the encryption: responds in place of the server that there is no TLS, and forwards
/// the rest.
final class StrippingProxy: Sendable {
    private let listener: SocketListener
    /// Whether a client continued without encryption.
    let isBelieved = Board(false)

    var port: Int { listener.port }

    init(to server: Int) throws {
        let listener = try SocketListener()
        self.listener = listener
        let isBelieved = isBelieved
        try BlockingThread.start {
            while let client = try? listener.accept(within: .seconds(3600)) {
                try? BlockingThread.start { try? Self.serve(client, server, isBelieved) }
            }
        }
    }

    func close() { listener.close() }

    /// `SSLRequest` and `GSSENCRequest` (https://www.postgresql.org/docs/15/protocol-message-formats.html).
    private static let requests: [[UInt8]] = [[0, 0, 0, 8, 4, 210, 22, 47], [0, 0, 0, 8, 4, 210, 22, 48]]

    private static func serve(_ client: SocketConnection, _ port: Int, _ isBelieved: Board<Bool>) throws {
        defer { client.close() }
        var first = try client.read()
        while requests.contains(first) {
            try client.write("N")
            first = try client.read()
        }
        if first.isEmpty { return }
        isBelieved.change { $0 = true }
        let server = try SocketConnection(port: port)
        defer { server.close() }
        try server.write(first)
        try BlockingThread.start { try? Self.relay(server, client) }
        try relay(client, server)
    }

    private static func relay(_ source: SocketConnection, _ target: SocketConnection) throws {
        defer { target.close() }
        while true {
            let bytes = try source.read(within: .seconds(3600))
            if bytes.isEmpty { return }
            try target.write(bytes)
        }
    }
}
