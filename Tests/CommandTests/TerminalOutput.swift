import Foundation
import LockstepSystem

/// What a person sees of a command in a terminal.
struct TerminalOutput {
    let status: Int32
    /// The lines without colors, and without progress, which is overwritten.
    let lines: [String]

    /// Runs the command in a terminal to its end.
    ///
    /// Unless `variables` names a pager, there is none.
    static func of(_ arguments: [String], columns: Int, variables: [String: String] = [:]) async throws -> TerminalOutput {
        let environment = Lockstep.environment(
            ["TERM": "xterm-256color", "NO_COLOR": "1", "PAGER": ""].merging(variables) { $1 })
        return try await BlockingThread.run {
            let process = try ChildProcess(Lockstep.executable, arguments, environment: environment, terminalColumns: columns)
            defer { process.kill() }
            var bytes: [UInt8] = []
            // At the end of the program, a terminal fails or returns nothing, depending on the system.
            while let more = try? process.readOutput(within: .seconds(120)), !more.isEmpty { bytes += more }
            let text = String(decoding: bytes, as: UTF8.self).replacing("\r\n", with: "\n")
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
                String(line.split(separator: "\r", omittingEmptySubsequences: false).last ?? "")
            }
            return TerminalOutput(status: try process.wait(), lines: lines)
        }
    }
}
