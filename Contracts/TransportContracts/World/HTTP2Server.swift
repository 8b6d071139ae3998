import LockstepSystem

/// A server of one HTTP/2 connection over TLS that decides over every frame: `openssl s_server`, whose streams are the wire.
final class HTTP2Server: Sendable {
    private let server: TLSServer

    init(_ identity: TestIssuer.Identity, serve: @escaping @Sendable (inout HTTP2Wire) throws -> Void) async throws {
        let server = try await TLSServer(identity, ["-alpn", "h2"])
        self.server = server
        try BlockingThread.start {
            // A client that does not speak as it should is found out by what the check waits for.
            guard var wire = try? HTTP2Wire(server.process) else { return }
            try? serve(&wire)
        }
    }

    /// The address.
    var url: String { "https://127.0.0.1:\(server.port)/" }

    /// Ends it.
    func close() {
        server.close()
    }
}
