import Foundation
import LockstepPrimitives
import LockstepSystem
import Testing

@Suite("lockstep serve")
struct ServeTests {
    /// A server that is running, with the lines that it printed; ended when `body` is done.
    private func serving<Result: Sendable>(
        _ arguments: [String], lines count: Int, _ body: ([JSON]) async throws -> Result
    ) async throws -> (result: Result, status: Int32) {
        let server = try await BlockingThread.run { try Server(arguments, lines: count) }
        do {
            let result = try await body(server.lines)
            return (result, try await BlockingThread.run { try server.interrupt() })
        } catch {
            _ = try await BlockingThread.run { try server.interrupt() }
            throw error
        }
    }

    @Test func startsThreeAndTellsWhereTheyAre() async throws {
        _ = try await serving([], lines: 3) { lines in
            #expect(lines.compactMap { $0["provider"]?.string } == ["firebase", "gotrue", "clerk"])
            for line in lines {
                for name in ["base", "inbox", "sms", "advance", "reset"] {
                    #expect(line[name]?.string?.hasPrefix("http://127.0.0.1:") == true, "\(name)")
                }
                #expect(line["control"]?["Authorization"]?.string?.hasPrefix("Bearer ") == true)
                #expect(line["vars"]?.object?.isEmpty == false)
            }
        }
    }

    @Test func endsCleanlyOnControlC() async throws {
        let end = try await serving(["gotrue"], lines: 1) { _ in }
        #expect(end.status == 0)
    }

    @Test func aPortInUseIsOneSentence() async throws {
        _ = try await serving(["gotrue"], lines: 1) { lines in
            let base = try #require(lines.first?["base"]?.string)
            let run = try await Lockstep.run("serve", "gotrue", "--port", String(base.split(separator: ":").last ?? ""))
            #expect(run.status == 2)
            #expect(run.errors.split(separator: "\n").count == 1, "\(run.errors)")
        }
    }

    @Test func brokenSettingsAreOneSentence() async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(
            "lockstep-settings-\(ProcessInfo.processInfo.processIdentifier).json")
        defer { try? FileManager.default.removeItem(at: file) }
        try "{\"mode\": ".write(to: file, atomically: true, encoding: .utf8)
        for provider in ["firebase", "clerk"] {
            let run = try await Lockstep.run("serve", provider, "--env", file.path)
            #expect(run.status == 2)
            #expect(run.errors.split(separator: "\n").count == 1, "\(run.errors)")
        }
    }
}

/// `lockstep serve`, as a process; every method blocks its thread.
private struct Server: Sendable {
    let lines: [JSON]
    private let process: ChildProcess

    /// Starts it and reads its first lines.
    init(_ arguments: [String], lines count: Int) throws {
        process = try ChildProcess(Lockstep.executable, ["serve"] + arguments)
        var bytes: [UInt8] = []
        while bytes.count(where: { $0 == UInt8(ascii: "\n") }) < count {
            let part = try process.readOutput()
            if part.isEmpty { break }
            bytes += part
        }
        lines = try bytes.split(separator: UInt8(ascii: "\n")).map { try JSON.parse(Array($0)) }
    }

    /// Ctrl-C, and the status with which it ends.
    func interrupt() throws -> Int32 {
        process.send(.interrupt)
        return try process.wait()
    }
}
