import Foundation

/// The command, run as a process of its own.
struct Lockstep {
    let status: Int32
    let output: String
    let errors: String

    /// Runs the command to its end.
    static func run(_ arguments: String..., environment: [String: String] = [:]) throws -> Lockstep {
        try run(arguments, environment: environment)
    }

    /// Runs the command to its end.
    static func run(_ arguments: [String], environment: [String: String] = [:]) throws -> Lockstep {
        let process = Process()
        process.executableURL = executable
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let (output, errors) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = errors
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let text = output.fileHandleForReading.readDataToEndOfFile()
        let words = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return Lockstep(
            status: process.terminationStatus, output: String(decoding: text, as: UTF8.self),
            errors: String(decoding: words, as: UTF8.self))
    }

    /// Beside the bundle of the tests.
    static var executable: URL {
        let bundle = URL(fileURLWithPath: CommandLine.arguments[0])
        return bundle.deletingLastPathComponent().appendingPathComponent("lockstep")
    }
}
