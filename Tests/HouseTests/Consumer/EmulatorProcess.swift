import Foundation
import LockstepPrimitives
import LockstepSystem

/// `lockstep serve` as a process.
///
/// Its methods block their thread.
struct EmulatorProcess: Sendable {
    /// The ready lines.
    let lines: [JSON]
    private let process: ChildProcess

    /// Starts it on free ports, and reads its ready lines.
    ///
    /// - `arguments`: A provider and options, or nothing for all three providers.
    /// - `program`: The program and its arguments before `serve`; the command of this build by default.
    /// - `variables`: Variables in addition to those of this process.
    /// - `timeout`: The longest wait for a line.
    init(
        _ arguments: [String], by program: [String] = [Self.command], variables: [String: String] = [:],
        within timeout: Duration = .seconds(30)
    ) throws {
        let count = arguments.first.map { $0.hasPrefix("-") } ?? true ? 3 : 1
        process = try ChildProcess(
            program[0], program.dropFirst() + ["serve"] + arguments + ["--port", "0"],
            environment: ProcessInfo.processInfo.environment.merging(variables) { $1 })
        var bytes: [UInt8] = []
        while bytes.count(where: { $0 == UInt8(ascii: "\n") }) < count {
            let part = try process.readOutput(within: timeout)
            if part.isEmpty { break }
            bytes += part
        }
        lines = try bytes.split(separator: UInt8(ascii: "\n")).map { try JSON.parse(Array($0)) }
        if lines.isEmpty { throw CocoaError(.executableLoad) }
    }

    /// The command, next to the bundle of the tests.
    static var command: String {
        URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().appendingPathComponent("lockstep").path
    }

    /// The address of the first server.
    var base: String { lines[0]["base"]?.string ?? "" }
    /// The inbox of the first server.
    var inbox: String { lines[0]["inbox"]?.string ?? "" }
    /// The key of the first server for apps.
    var key: String { value("anon") ?? value("api_key") ?? value("publishable_key") ?? "" }

    /// A key or name of the first server.
    func value(_ name: String) -> String? { lines[0]["vars"]?[name]?.string }

    /// Sends Ctrl-C, and returns the exit status.
    func stop() throws -> Int32 {
        process.send(.interrupt)
        return try process.wait()
    }
}
