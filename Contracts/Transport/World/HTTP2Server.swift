import LockstepSystem

/// A server of one HTTP/2 connection over TLS that decides over every frame: `openssl s_server`, whose streams are the wire.
final class HTTP2Server: Sendable {
    /// The address.
    let url: String
    private let process: ChildProcess

    init(_ identity: TestIssuer.Identity, serve: @escaping @Sendable (inout HTTP2Wire) throws -> Void) async throws {
        // With its streams as the wire the command does not say on which port it listens, so it is told one that was free.
        let finder = try SocketListener()
        finder.close()
        let port = finder.port
        let process = try ChildProcess(
            "openssl",
            ["s_server", "-quiet", "-alpn", "h2", "-accept", "127.0.0.1:\(port)"]
                + ["-cert", identity.certificate, "-key", identity.key])
        self.process = process
        url = "https://127.0.0.1:\(port)/"
        try await BlockingThread.run { try Self.waitUntilReady(port) }
        try BlockingThread.start {
            // A client that does not speak as it should is found out by what the check waits for.
            guard var wire = try? HTTP2Wire(process) else { return }
            try? serve(&wire)
        }
    }

    /// Ends it.
    func close() {
        process.kill()
    }

    private static func waitUntilReady(_ port: Int) throws {
        for _ in 0..<500 {
            if let probe = try? SocketConnection(port: port) { return probe.close() }
            // Nobody connects there: it is a short wait that the socket layer ends.
            _ = try? SocketListener().accept(within: .milliseconds(10))
        }
        throw MissingTool(reason: "openssl s_server was not ready within five seconds")
    }
}
