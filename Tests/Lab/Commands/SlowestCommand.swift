import Foundation
import LockstepPrimitives
import LockstepSystem

/// `make slowest`: the tests and the targets that use the most processor time.
///
/// `lockstep-lab slowest tests [--filter …]` runs the tests one at a time. At the start and the end of each test, it reads the
/// processor time of the process and of the processes that it has waited for. `lockstep-lab slowest targets FOLDER` adds up the
/// compiler's statistics in the folder (`swift build -Xswiftc -stats-output-dir -Xswiftc FOLDER`).
struct SlowestCommand {
    private static let length = 50

    static func run(_ words: [String]) async throws {
        let rows: [(name: String, seconds: Double)]
        switch words.first {
        case "tests": rows = try await tests(Array(words.dropFirst()))
        case "targets" where words.count == 2: rows = try targets(in: words[1])
        default:
            try StandardStream.error.write("usage: lockstep-lab slowest tests [--filter …] | targets FOLDER\n")
            CurrentProcess.exit(2)
        }
        let total = rows.reduce(0) { $0 + $1.seconds }
        var text = "seconds of processor time, the \(length) slowest of \(rows.count); all: \(tenths(total))\n"
        for row in rows.sorted(by: { ($1.seconds, $0.name) < ($0.seconds, $1.name) }).prefix(length) {
            text += "\(tenths(row.seconds))\t\(row.name)\n"
        }
        try StandardStream.output.write(text)
    }

    private static func tenths(_ seconds: Double) -> String { String((seconds * 10).rounded() / 10) }

    /// A line of the testing library's event stream.
    private struct Event: Decodable {
        struct Payload: Decodable {
            let kind: String
            let testID: String?
        }
        let kind: String
        let payload: Payload
    }

    private static func tests(_ words: [String]) async throws -> [(name: String, seconds: Double)] {
        let program = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appendingPathComponent("lockstepPackageTests.xctest").path
        var environment = ProcessInfo.processInfo.environment
        environment["SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH"] = "1"
        let options = [
            "--testing-library", "swift-testing", "--event-stream-output-path", "/dev/stdout", "--event-stream-version", "0",
        ]
        let child = try ChildProcess(program, options + words, environment: environment)
        // The run prints its messages for a person to the standard error.
        try BlockingThread.start {
            while let bytes = try? child.readErrors(within: .seconds(3600)), !bytes.isEmpty {
                try? StandardStream.error.write(String(decoding: bytes, as: UTF8.self))
            }
        }
        return try await BlockingThread.run {
            var starts: [String: Double] = [:]
            var rows: [(name: String, seconds: Double)] = []
            var unread: [UInt8] = []
            while true {
                let bytes = try child.readOutput(within: .seconds(3600))
                if bytes.isEmpty { break }
                let now = try processorTime(of: child.id)
                unread += bytes
                while let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
                    let line = Data(unread[..<end])
                    unread.removeSubrange(...end)
                    // A suite has no function, and its time is that of its tests.
                    guard let event = try? JSONDecoder().decode(Event.self, from: line), event.kind == "event",
                        let id = event.payload.testID, id.utf8.contains(UInt8(ascii: "/"))
                    else { continue }
                    if event.payload.kind == "testStarted" { starts[id] = now }
                    if event.payload.kind == "testEnded", let start = starts.removeValue(forKey: id) {
                        rows.append((id, now - start))
                    }
                }
            }
            _ = try child.wait()
            return rows
        }
    }

    /// The processor time of a process and of the processes that it has waited for, in seconds; 0 if it has ended.
    private static func processorTime(of id: Int32) throws -> Double {
        guard let text = try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8),
            let end = text.utf8.lastIndex(of: UInt8(ascii: ")"))
        else { return 0 }
        // Fields 14 to 17 of proc(5), in hundredths of a second on every Linux; the second field ends with the last bracket.
        let fields = text[text.utf8.index(after: end)...].split(separator: " ")
        guard fields.count > 14 else { return 0 }
        return fields[11...14].reduce(0) { $0 + (Double($1) ?? 0) } / 100
    }

    private static func targets(in folder: String) throws -> [(name: String, seconds: Double)] {
        var seconds: [String: Double] = [:]
        for file in try FileManager.default.contentsOfDirectory(atPath: folder) {
            // stats-TIME-swift-frontend-MODULE-FILE-TRIPLE-….json
            let parts = file.split(separator: "-", maxSplits: 5)
            guard parts.count == 6, parts[2] == "swift", parts[3] == "frontend" else { continue }
            let data = try Data(contentsOf: URL(fileURLWithPath: folder).appendingPathComponent(file))
            guard let numbers = try? JSONDecoder().decode([String: Double].self, from: data) else { continue }
            for (name, value) in numbers
            where name.hasPrefix("time.swift-frontend.") && (name.hasSuffix(".user") || name.hasSuffix(".sys")) {
                seconds[String(parts[4]), default: 0] += value
            }
        }
        return seconds.map { ($0.key, $0.value) }
    }
}
