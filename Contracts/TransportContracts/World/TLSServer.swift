import LockstepSystem

/// A server that speaks TLS with a given certificate: `openssl s_server`.
final class TLSServer: Sendable {
    /// The command; what it does with a connection is for its options to say.
    let process: ChildProcess
    /// The port it listens on.
    let port: Int

    /// A server on a free port, or on one where others come before or after it (``LastingPort``).
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

/// A port for servers that follow each other at one address.
///
/// The system may give the port of a server that has ended to the next connection. So this one lies below the ports that systems choose
/// (from 32768 on Linux, from 49152 on macOS), at the place of one that the system chose and that is held meanwhile: two checks never
/// share it.
final class LastingPort: Sendable {
    /// The port.
    let number: Int
    private let held: SocketListener

    /// - Throws: `MissingTool` where each of 16 ports is in use.
    init() throws {
        var tried: [SocketListener] = []
        while tried.count < 16 {
            let held = try SocketListener()
            let number = 4_000 + held.port % 28_000
            if (try? SocketListener(port: number)) != nil {
                (self.number, self.held) = (number, held)
                return
            }
            tried.append(held)
        }
        throw MissingTool(reason: "each of \(tried.count) ports of 127.0.0.1 is in use")
    }
}
