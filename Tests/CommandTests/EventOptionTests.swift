import Foundation
import LockstepPrimitives
import LockstepSystem
import LockstepTestConcurrency
import Testing

@Suite("lockstep --events", .limitedConcurrency)
struct EventOptionTests {
    private func check(_ text: String) throws {
        let lines = text.split(separator: "\n")
        let events = try lines.map { try JSON.parse(Array($0.utf8)) }
        #expect(events.allSatisfy { $0["v"]?.int == 1 && $0["at"]?.int != nil })
        let names = Set(events.compactMap { $0["event"]?.string })
        #expect(names.isSuperset(of: ["call.began", "call.ended", "request.began", "request.ended", "state.changed"]))
        #expect(Set(events.compactMap { $0["provider"]?.string }) == ["gotrue", "clerk"])
    }

    @Test func writesLinesOfJSONToAFile() async throws {
        let folder = try Folder.makeTemporary()
        defer { try? Folder.remove(folder) }
        let file = folder + "/events.jsonl"
        let run = try await Lockstep.run(
            "compare", "--journeys", "sign-up", "--provider", "gotrue,clerk", "--no-contracts", "--events", file)
        #expect(run.status == 0, "\(run.errors)")
        try check(try String(contentsOfFile: file, encoding: .utf8))
    }

    @Test func writesEventsToStandardErrorAsTheyHappen() async throws {
        let run = try await Lockstep.run(
            "compare", "--journeys", "sign-up", "--provider", "gotrue,clerk", "--no-contracts", "--events", "-")
        #expect(run.status == 0, "\(run.errors)")
        try check(run.errors)
    }

    @Test func reportsAnUnwritableFileBeforeTheRun() async throws {
        let run = try await Lockstep.run("compare", "--journeys", "sign-up", "--events", "/nowhere/at/all.jsonl")
        #expect(run.status == 1)
        #expect(run.output.isEmpty)
        #expect(run.errors.contains("/nowhere/at/all.jsonl"), "\(run.errors)")
    }
}
