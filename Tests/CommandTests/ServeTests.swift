import Foundation
import LockstepPrimitives
import Testing

@Suite("lockstep serve")
struct ServeTests {
    /// A server that is running, and the lines that it printed.
    private func serving<Result>(_ arguments: [String], lines count: Int, _ body: (Process, [JSON]) throws -> Result) throws
        -> Result
    {
        let process = Process()
        process.executableURL = Lockstep.executable
        process.arguments = ["serve"] + arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        defer {
            process.interrupt()
            process.waitUntilExit()
        }
        var bytes: [UInt8] = []
        while bytes.count(where: { $0 == UInt8(ascii: "\n") }) < count {
            let part = output.fileHandleForReading.availableData
            if part.isEmpty { break }
            bytes += part
        }
        let lines = try bytes.split(separator: UInt8(ascii: "\n")).map { try JSON.parse(Array($0)) }
        return try body(process, lines)
    }

    @Test func startsThreeAndTellsWhereTheyAre() throws {
        try serving([], lines: 3) { _, lines in
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

    @Test func endsCleanlyOnControlC() throws {
        let process = try serving(["gotrue"], lines: 1) { process, _ in process }
        #expect(process.terminationReason == .exit)
        #expect(process.terminationStatus == 0)
    }

    @Test func aPortInUseIsOneSentence() throws {
        try serving(["gotrue"], lines: 1) { _, lines in
            let base = try #require(lines.first?["base"]?.string)
            let run = try Lockstep.run("serve", "gotrue", "--port", String(base.split(separator: ":").last ?? ""))
            #expect(run.status == 2)
            #expect(run.errors.split(separator: "\n").count == 1, "\(run.errors)")
        }
    }

    @Test func brokenSettingsAreOneSentence() throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(
            "lockstep-settings-\(ProcessInfo.processInfo.processIdentifier).json")
        defer { try? FileManager.default.removeItem(at: file) }
        try "{\"mode\": ".write(to: file, atomically: true, encoding: .utf8)
        for provider in ["firebase", "clerk"] {
            let run = try Lockstep.run("serve", provider, "--env", file.path)
            #expect(run.status == 2)
            #expect(run.errors.split(separator: "\n").count == 1, "\(run.errors)")
        }
    }
}
