import Foundation
import LockstepSystem

/// The command, run as a process of its own.
struct Lockstep {
    let status: Int32
    let output: String
    let errors: String

    /// Runs the command to its end.
    static func run(_ arguments: String...) async throws -> Lockstep { try await run(arguments) }

    /// Runs the command to its end.
    ///
    /// - `arguments`: its arguments.
    /// - `variables`: variables that replace those of this process.
    static func run(_ arguments: [String], variables: [String: String] = [:]) async throws -> Lockstep {
        let outcome = try await ChildProcess.run(
            executable, arguments, environment: environment(variables), within: .seconds(300))
        return Lockstep(
            status: outcome.status, output: String(decoding: outcome.output, as: UTF8.self),
            errors: String(decoding: outcome.errors, as: UTF8.self))
    }

    /// The variables of this process, some of them with other values.
    static func environment(_ variables: [String: String]) -> [String: String] {
        ProcessInfo.processInfo.environment.merging(variables) { $1 }
    }

    /// The command is next to the bundle of the tests.
    static var executable: String {
        URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().appendingPathComponent("lockstep").path
    }
}
