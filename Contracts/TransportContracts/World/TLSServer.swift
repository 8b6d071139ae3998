import LockstepContracts
import LockstepSystem

/// A server that uses TLS with a given certificate: `openssl s_server`.
final class TLSServer: Sendable {
    /// The running command.
    ///
    /// Its options define what it does with a connection.
    let process: ChildProcess
    /// The port of the server.
    let port: Int

    /// Starts a server on a free port, or on a port that several servers use one after another (``LastingPort``).
    init(_ identity: TestIssuer.Identity, _ options: [String], port: Int = 0) async throws {
        let process = try ChildProcess(
            "openssl",
            ["s_server", "-accept", "127.0.0.1:\(port)", "-cert", identity.certificate, "-key", identity.key] + options)
        self.process = process
        self.port = try await BlockingThread.run { try Self.readPort(process) ?? port }
    }

    /// Ends the server.
    func close() {
        process.kill()
    }

    /// Reads the port from the line `ACCEPT 127.0.0.1:40123`.
    ///
    /// Returns `nil` for `ACCEPT` alone, which means that the port was given.
    private static func readPort(_ process: ChildProcess) throws -> Int? {
        var text = ""
        while true {
            let part = try process.readOutput(within: .seconds(60))
            guard !part.isEmpty else { throw EnvironmentError("openssl s_server ended before it was ready") }
            text += String(decoding: part, as: UTF8.self)
            for line in text.split(separator: "\n").dropLast(text.hasSuffix("\n") ? 0 : 1) where line.hasPrefix("ACCEPT") {
                if line == "ACCEPT" { return nil }
                if let port = line.split(separator: ":").last.flatMap({ Int($0) }) { return port }
            }
        }
    }
}

/// A port for several servers that use the same address one after another.
///
/// The system may give the port of a stopped server to the next connection. So this port is below the system's own range, which
/// begins at 32768 on Linux and at 49152 on macOS. It is derived from a port that the system chose and that stays occupied. So
/// two checks never share a port.
final class LastingPort: Sendable {
    /// The number of the port.
    let number: Int
    private let held: SocketListener

    /// - Throws: `EnvironmentError` if all of 16 tried ports are in use.
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
        throw EnvironmentError("all \(tried.count) tried ports of 127.0.0.1 are in use")
    }
}
