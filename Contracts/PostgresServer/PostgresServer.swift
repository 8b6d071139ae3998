internal import LockstepPrimitives
package import LockstepSystem
internal import Synchronization

/// A real PostgreSQL server for this process, with its own data folder and socket.
///
/// When this object is released, or this process ends in any way, the server stops and its folder is removed. A script does both
/// when its standard input ends. PostgreSQL does not run as root. If this process runs as root, the server runs as the user
/// `postgres` or `nobody`.
package final class PostgresServer: Sendable {
    /// The error for a missing PostgreSQL installation.
    package struct NotInstalled: Error, CustomStringConvertible {
        /// A sentence that says what to install.
        package var description: String { "PostgreSQL is not installed. Install the package postgresql (make setup does)." }
    }

    private let watcher: ChildProcess
    private let folder: String
    private let programs: String
    private let databases = Mutex(0)
    private let isStopped = Mutex(false)
    private let hosts: [String]
    /// The port on 127.0.0.1 for TLS connections to `db.example`; `nil` if there is only a socket.
    package let port: Int?
    /// The path of the file that contains the certificate of the server's issuer.
    package var issuer: String { "\(folder)/issuer.pem" }

    /// Returns the server that all tests of a run share.
    ///
    /// Each test has its own database on the server.
    ///
    /// - Throws: ``NotInstalled``, or the error that occurred when the server was started.
    package static func shared() async throws -> PostgresServer { try await sharing.value }

    private static let sharing = Task { try await PostgresServer() }

    /// Starts a PostgreSQL server.
    ///
    /// - Parameters:
    ///   - standby: Whether to start a second server. The first server replicates to the second server synchronously.
    ///   - durable: Whether `fsync` is on. Measurements need it.
    ///   - tls: Whether the server also accepts TLS connections.
    /// - Throws: ``NotInstalled``; any other error if the server does not start.
    package init(standby: Bool = false, durable: Bool = false, tls: Bool = false) async throws {
        let words = (standby ? ["standby"] : []) + (durable ? ["durable"] : []) + (tls ? ["tls"] : [])
        let (watcher, line) = try await BlockingThread.run {
            let watcher = try ChildProcess("bash", ["-c", Self.script, "serve"] + words)
            return (watcher, try Self.line(of: watcher))
        }
        if line == "missing" { throw NotInstalled() }
        let parts = line.split(separator: " ").map(String.init)
        guard parts.count == (tls ? 3 : 2) else { throw Failure(message: "PostgreSQL did not start. \(line)") }
        self.watcher = watcher
        (folder, programs) = (parts[0], parts[1])
        port = tls ? Int(parts[2]) : nil
        hosts = standby ? ["first", "second"] : ["first"]
    }

    deinit {
        guard !isStopped.withLock(\.self) else { return }
        // The script ends when its input ends. A killed script cannot stop the server.
        watcher.finishInput()
        _ = try? watcher.wait()
    }

    /// Stops the server, and removes its folder.
    ///
    /// - Throws: The error that occurred when the server was stopped.
    package func stop() async throws {
        _ = try await BlockingThread.run { [watcher] in
            watcher.finishInput()
            return try watcher.wait()
        }
        isStopped.withLock { $0 = true }
    }

    /// Kills the first server, as in a crash.
    ///
    /// - Throws: The error that occurred when the server was killed.
    package func kill() async throws { try await tell("kill") }

    /// Makes the second server the primary server.
    ///
    /// - Throws: The error that occurred when the server was promoted.
    package func promote() async throws { try await tell("promote") }

    /// Creates an empty database.
    ///
    /// - Returns: The connection string of the database. If there are two servers, the string names both.
    /// - Throws: The error of the server.
    package func makeDatabase() async throws -> String {
        let name = databases.withLock { number in
            number += 1
            return "test_\(number)"
        }
        try await sql("CREATE DATABASE \(name)")
        let folders = hosts.map { "\(folder)/\($0)" }.joined(separator: ",")
        return "host=\(folders) user=lockstep \(port.map { "port=\($0) " } ?? "")dbname=\(name)"
    }

    /// Runs SQL statements with `psql`, independently of the code under test.
    ///
    /// - Parameters:
    ///   - connectionString: The connection string; `nil` for the default database.
    /// - Returns: The rows, one per line, with `|` between the columns.
    /// - Throws: The error of `psql`.
    @discardableResult
    package func sql(_ text: String, in connectionString: String? = nil) async throws -> String {
        let address = connectionString ?? "host=\(folder)/first user=lockstep \(port.map { "port=\($0) " } ?? "")dbname=postgres"
        let outcome = try await ChildProcess.run(
            "\(programs)/psql", ["-X", "-q", "-At", "-v", "ON_ERROR_STOP=1", "-d", address, "-c", text])
        guard outcome.status == 0 else { throw Failure(message: String(decoding: outcome.errors, as: UTF8.self)) }
        return outcome.text
    }

    /// Starts a session of `psql`, which runs the statements that are written to its input.
    ///
    /// - Parameters:
    ///   - connectionString: The connection string.
    /// - Returns: The process; its input ends the session.
    /// - Throws: The error that occurred when `psql` was started.
    package func session(in connectionString: String) throws -> ChildProcess {
        try ChildProcess("\(programs)/psql", ["-X", "-q", "-At", "-d", connectionString, "-f", "-"])
    }

    private func tell(_ command: String) async throws {
        _ = try await BlockingThread.run { [watcher] in
            try watcher.write(Array("\(command)\n".utf8))
            return try Self.line(of: watcher)
        }
    }

    /// Returns the next line of the script.
    ///
    /// If the script has ended, throws its error output.
    private static func line(of watcher: ChildProcess) throws -> String {
        var line: [UInt8] = []
        while line.last != UInt8(ascii: "\n") {
            let part = try watcher.readOutput(within: .seconds(600))
            if part.isEmpty { throw Failure(message: String(decoding: try watcher.readErrors(), as: UTF8.self)) }
            line += part
        }
        return String(decoding: line.dropLast(), as: UTF8.self)
    }

    private struct Failure: Error, CustomStringConvertible {
        let message: String
        var description: String { message }
    }
}
