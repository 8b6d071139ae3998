import Foundation
import LockstepPrimitives
import LockstepSystem
import LockstepTestConcurrency
import Testing

/// The output of `lockstep serve` on the pages matches the real one.
@Suite("Output of lockstep serve on pages")
struct ReadyTextTests {
    /// `lockstep serve` prints every key and address that a page names.
    @Test func keysOnThePagesMatchTheServers() async throws {
        let printed = try await ServedText.printed()
        let known = printed.lines.map { $0.text() }.joined()
        var count = 0
        for path in ["docs/emulators.md"] + ConnectedApp.all.map(\.page) {
            let text = try page(path)
            let keys = text.matches(of: /\b(?:sb_publishable|sb_secret|pk_test|sk_test)_\w[\w-]{12,}/)
            let addresses = text.matches(of: /http:\/\/127\.0\.0\.1:460[1-3]/)
            for key in (keys + addresses).map({ String($0.0) }) where printed.isOnFixedPorts || !key.hasPrefix("sk_test") {
                #expect(known.contains(key), "\(path) has \(key), which no server prints")
                count += 1
            }
        }
        #expect(count > 30)
    }

    private func page(_ path: String) throws -> String {
        try String(contentsOf: House.root.appendingPathComponent(path), encoding: .utf8)
    }
}

/// The JSON lines of one start of `lockstep serve`.
private struct ServedText: Sendable {
    let lines: [JSON]
    /// Whether the usual ports were free.
    ///
    /// Otherwise the test uses other ports and shows the usual ones.
    let isOnFixedPorts: Bool

    static func printed() async throws -> ServedText { try await printing.value }

    private static let printing = Task {
        try await BlockingThread.run {
            if let text = try ServedText([], first: 4601) { return text }
            // Below the range from which the system and other tests choose ports.
            for attempt in 0..<16 {
                let first = 10_000 + (Int(CurrentProcess.id) * 7 + attempt * 611) % 10_000
                if let text = try ServedText(["--port", String(first)], first: first) { return text }
            }
            throw SystemError(SystemError.addressInUse, "find three free ports")
        }
    }

    /// Starts the servers; `nil` if a port is in use.
    private init?(_ arguments: [String], first: Int) throws {
        let folder = try Folder.makeTemporary()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let file = folder + "/ready.jsonl"
        let variables = ["NO_COLOR": "1", "XDG_RUNTIME_DIR": folder]
        let process = try ChildProcess(
            EmulatorProcess.command, ["serve", "--ready-file", file] + arguments,
            environment: ProcessInfo.processInfo.environment.merging(variables) { $1 }, terminalColumns: 80)
        var bytes: [UInt8] = []
        while !String(decoding: bytes, as: UTF8.self).contains("?key=") {
            let part = try process.readOutput()
            if part.isEmpty { return nil }
            bytes += part
        }
        let ready = try String(contentsOfFile: file, encoding: .utf8)
        process.send(.interrupt)
        _ = try process.wait()
        isOnFixedPorts = first == 4601
        func usual(_ text: String) -> String {
            // The key of a link differs from start to start.
            let text = text.replacing(/:\d+\/\?key=[a-z0-9]+/, with: ":4600/?key=…")
            return (0..<3).reduce(text) { text, index in
                let (key, usualKey) = (Self.key(first + index), Self.key(4601 + index))
                return text.replacingOccurrences(of: ":\(first + index)", with: ":\(4601 + index)")
                    .replacingOccurrences(of: key, with: usualKey)
            }
        }
        lines = try usual(ready).split(separator: "\n").map { try JSON.parse(Array($0.utf8)) }
    }

    /// The publishable key of Clerk's emulator on a port.
    private static func key(_ port: Int) -> String {
        "pk_test_" + Data("127.0.0.1:\(port)$".utf8).base64EncodedString()
    }
}
