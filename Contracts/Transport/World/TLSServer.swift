import LockstepSystem

/// A server that speaks TLS with a given certificate: `openssl s_server`.
final class TLSServer: Sendable {
    /// The command; what it does with a connection is for its options to say.
    let process: ChildProcess
    /// The port it listens on.
    let port: Int

    /// A server on a free port, or on the one where another has ended.
    init(_ identity: TestIssuer.Identity, _ options: [String], port: Int = 0) async throws {
        let process = try ChildProcess(
            "openssl",
            ["s_server", "-accept", "127.0.0.1:\(port)", "-cert", identity.certificate, "-key", identity.key] + options)
        self.process = process
        self.port = try await BlockingThread.run { try Self.readPort(process) ?? port }
    }

    /// Ends it.
    func close() {
        process.kill()
    }

    /// It says `ACCEPT 127.0.0.1:40123` when it is ready, or `ACCEPT` alone on a port that it was told; that is `nil`.
    private static func readPort(_ process: ChildProcess) throws -> Int? {
        var text = ""
        while true {
            let part = try process.readOutput(within: .seconds(60))
            guard !part.isEmpty else { throw MissingTool(reason: "openssl s_server ended before it was ready") }
            text += String(decoding: part, as: UTF8.self)
            for line in text.split(separator: "\n").dropLast(text.hasSuffix("\n") ? 0 : 1) where line.hasPrefix("ACCEPT") {
                if line == "ACCEPT" { return nil }
                if let port = line.split(separator: ":").last.flatMap({ Int($0) }) { return port }
            }
        }
    }
}
