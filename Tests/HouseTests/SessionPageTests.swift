import Foundation
import Testing

/// The drawings of docs/sessions.md match the code.
@Suite("The session page")
struct SessionPageTests {
    /// The drawings of docs/sessions.md contain exactly the stages of an operation.
    @Test func pageDrawsTheStagesOfAnOperation() throws {
        let page = try String(contentsOf: House.root.appendingPathComponent("docs/sessions.md"), encoding: .utf8)
        let drawings = page.components(separatedBy: "```mermaid").dropFirst().compactMap {
            $0.components(separatedBy: "```").first
        }
        let operations = drawings.filter { $0.contains("starting") }
        let drawn = Set(operations.flatMap { $0.matches(of: /\b(\w+) -->|--> (\w+)/).compactMap { $0.output.1 ?? $0.output.2 } })
        let file = try #require(
            try House.files(below: ["Sources/Lockstep/Session/Machine"]).first { $0.path.hasSuffix("/SessionOperation.swift") })
        let stages = file.lines.drop { !$0.contains("enum Stage") }.dropFirst().prefix { $0 != "    }" }
        let names = Set(stages.compactMap { $0.firstMatch(of: /case (\w+)/)?.output.1 })
        #expect(names.count > 10 && drawn == names)
    }
}
