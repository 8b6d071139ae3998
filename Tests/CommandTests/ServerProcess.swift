import LockstepPrimitives
import LockstepSystem

/// `lockstep serve`, as a process; every method blocks its thread.
struct ServerProcess: Sendable {
    let lines: [JSON]
    private let process: ChildProcess

    /// Starts it, on free ports unless the arguments name one, and reads its first lines.
    ///
    /// - `arguments`: what follows `serve`.
    /// - `count`: how many lines it prints.
    /// - `variables`: variables in the place of those of this process.
    init(_ arguments: [String], lines count: Int, variables: [String: String] = [:]) throws {
        let port = arguments.contains("--port") ? [] : ["--port", "0"]
        process = try ChildProcess(
            Lockstep.executable, ["serve"] + port + arguments, environment: Lockstep.environment(variables))
        var bytes: [UInt8] = []
        while bytes.count(where: { $0 == UInt8(ascii: "\n") }) < count {
            let part = try process.readOutput()
            if part.isEmpty { break }
            bytes += part
        }
        lines = try bytes.split(separator: UInt8(ascii: "\n")).map { try JSON.parse(Array($0)) }
    }

    /// The system's number of it.
    var id: Int32 { process.id }

    /// SIGKILL: the process cannot do anything about it.
    func kill() { process.kill() }

    /// Ctrl-C, and the status with which it ends.
    func interrupt() throws -> Int32 {
        process.send(.interrupt)
        return try process.wait()
    }

    /// Ctrl-C, and what it had to say to a person.
    func errors() throws -> String {
        process.send(.interrupt)
        var bytes: [UInt8] = []
        while true {
            let part = try process.readErrors()
            if part.isEmpty { break }
            bytes += part
        }
        _ = try process.wait()
        return String(decoding: bytes, as: UTF8.self)
    }

    /// A server that is running, with the lines that it printed; ended when `body` is done.
    static func serving<Result: Sendable>(
        _ arguments: [String], lines count: Int, variables: [String: String] = [:],
        _ body: ([JSON]) async throws -> Result
    ) async throws -> (result: Result, status: Int32) {
        let server = try await BlockingThread.run { try ServerProcess(arguments, lines: count, variables: variables) }
        do {
            let result = try await body(server.lines)
            return (result, try await BlockingThread.run { try server.interrupt() })
        } catch {
            _ = try await BlockingThread.run { try server.interrupt() }
            throw error
        }
    }

    /// What a server that starts, and is ended at once, says to a person.
    static func errors(of arguments: [String]) async throws -> String {
        try await BlockingThread.run {
            let server = try ServerProcess(arguments, lines: 1)
            let text = try server.errors()
            return server.lines.isEmpty ? "it did not start: " + text : text
        }
    }
}
