import LockstepSystem

/// A server for one HTTP/2 connection over TLS.
///
/// A function controls every frame through the streams of `openssl s_server`.
final class HTTP2Server: Sendable {
    private let server: TLSServer

    init(_ identity: TestIssuer.Identity, serve: @escaping @Sendable (inout HTTP2Wire) throws -> Void) async throws {
        let server = try await TLSServer(identity, ["-alpn", "h2"])
        self.server = server
        try BlockingThread.start {
            // If the client violates the protocol, the check does not get the expected event, and fails.
            guard var wire = try? HTTP2Wire(server.process) else { return }
            try? serve(&wire)
        }
    }

    /// The URL of the server.
    var url: String { "https://127.0.0.1:\(server.port)/" }

    /// Ends the server.
    func close() {
        server.close()
    }
}
