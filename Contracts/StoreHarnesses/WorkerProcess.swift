internal import LockstepContracts
internal import LockstepSystem
internal import Synchronization

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A running worker process of this package.
package final class WorkerProcess: StoreProcess {
    private let child: ChildProcess
    private let unread = Mutex<[UInt8]>([])

    /// Starts a program that prints lines.
    ///
    /// - Parameters:
    ///   - program: The path of the program.
    /// - Throws: The error that occurred when the program was started.
    package init(_ program: String, _ arguments: [String]) throws { child = try ChildProcess(program, arguments) }

    /// Returns the command of a worker.
    ///
    /// The program is in the folder of the running program.
    ///
    /// - Returns: The program and its first arguments.
    package static func command(_ name: String) -> [String] { [path(of: "lockstep-worker"), name] }

    /// Starts a worker that uses sessions.
    ///
    /// - Throws: The error that occurred when the program was started.
    package static func session(_ arguments: [String]) throws -> WorkerProcess {
        try laboratory(["session"] + arguments)
    }

    /// Starts the laboratory, which contains benchmarks and long tests.
    ///
    /// - Parameter words: The arguments.
    /// - Throws: The error that occurred when the program was started.
    package static func laboratory(_ words: [String]) throws -> WorkerProcess {
        try WorkerProcess(path(of: "lockstep-lab"), words)
    }

    /// Returns the path of a program in the folder of the running program.
    ///
    /// - Parameter program: The name of the program.
    package static func path(of program: String) -> String {
        URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().appendingPathComponent(program).path
    }

    /// Starts a worker.
    ///
    /// - Parameters:
    ///   - mutation: The name of the fault; `nil` for a store without a fault.
    ///   - place: The arguments for ``StoreHarnesses/place(_:)``.
    ///   - disk: A folder and a number of bytes. The worker sees the folder as an empty disk of this size.
    /// - Throws: An error if the program does not start.
    static func start(
        _ task: StoreTask, _ mutation: String?, place: [String], on disk: (folder: String, room: Int)? = nil
    ) async throws -> WorkerProcess {
        let words = command("store") + task.words + [mutation ?? "-"] + place
        if let disk { return try await SmallDisk.start(words, folder: disk.folder, room: disk.room) }
        return try WorkerProcess(words[0], Array(words.dropFirst()))
    }

    /// Returns the next line that the process prints.
    ///
    /// - Returns: The line; `nil` at the end of the output.
    /// - Throws: An error if the output cannot be read.
    package func line() async throws -> String? {
        while true {
            let line: String? = unread.withLock { unread in
                guard let end = unread.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
                defer { unread.removeSubrange(...end) }
                return String(decoding: unread[..<end], as: UTF8.self)
            }
            if let line { return line }
            let child = child
            let more = try await BlockingThread.run { try child.readOutput(within: .seconds(120)) }
            if more.isEmpty { return nil }
            unread.withLock { $0 += more }
        }
    }

    /// Writes a line to the standard input of the process.
    ///
    /// - Throws: An error if the line cannot be written.
    package func tell(_ line: String) async throws {
        let child = child
        try await BlockingThread.run { try child.write(Array((line + "\n").utf8)) }
    }

    /// Kills the process with SIGKILL, and waits until it has ended.
    package func kill() async {
        let child = child
        _ = try? await BlockingThread.run { child.kill() }
    }
}
