import LockstepPrimitives
import LockstepSystem

/// `lockstep serve` as a process.
///
/// Every method blocks its thread.
struct ServerProcess: Sendable {
    let lines: [JSON]
    private let process: ChildProcess

    /// Starts the process, on free ports unless the arguments name one, and reads its first lines.
    ///
    /// - `arguments`: the arguments after `serve`.
    /// - `count`: the number of lines that it prints.
    /// - `variables`: variables that replace those of this process.
    /// - `openFiles`: a limit of open files, which the process cannot raise.
    init(_ arguments: [String], lines count: Int, variables: [String: String] = [:], openFiles: Int? = nil) throws {
        let port = arguments.contains("--port") ? [] : ["--port", "0"]
        let limit = openFiles.map { "ulimit -n \($0) && " } ?? ""
        process = try ChildProcess(
            "sh", ["-c", limit + "exec \"$@\"", "sh", Lockstep.executable, "serve"] + port + arguments,
            environment: Lockstep.environment(variables))
        var bytes: [UInt8] = []
        while bytes.count(where: { $0 == UInt8(ascii: "\n") }) < count {
            let part = try process.readOutput()
            if part.isEmpty { break }
            bytes += part
        }
        lines = try bytes.split(separator: UInt8(ascii: "\n")).map { try JSON.parse(Array($0)) }
    }

    /// The process's number.
    var id: Int32 { process.id }

    /// Sends SIGKILL, which the process cannot handle.
    func kill() { process.kill() }

    /// Waits until the process has ended by itself, and returns the exit status.
    func ended() throws -> Int32 { try process.wait() }

    /// Sends Ctrl-C, and returns the exit status.
    func interrupt() throws -> Int32 {
        process.send(.interrupt)
        return try process.wait()
    }

    /// Sends Ctrl-C, and returns the messages to a person.
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

    /// Runs `body` with a running server and its printed lines, and then ends the server.
    static func serving<Result: Sendable>(
        _ arguments: [String], lines count: Int, variables: [String: String] = [:], openFiles: Int? = nil,
        _ body: ([JSON]) async throws -> Result
    ) async throws -> (result: Result, status: Int32) {
        let server = try await BlockingThread.run {
            try ServerProcess(arguments, lines: count, variables: variables, openFiles: openFiles)
        }
        do {
            let result = try await body(server.lines)
            return (result, try await BlockingThread.run { try server.interrupt() })
        } catch {
            _ = try await BlockingThread.run { try server.interrupt() }
            throw error
        }
    }

    /// Starts a server, ends it immediately, and returns its messages to a person.
    static func errors(of arguments: [String]) async throws -> String {
        try await BlockingThread.run {
            let server = try ServerProcess(arguments, lines: 1)
            let text = try server.errors()
            return server.lines.isEmpty ? "it did not start: " + text : text
        }
    }
}
