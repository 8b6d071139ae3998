import Foundation
import LockstepComparison
import LockstepContracts
import LockstepInMemoryHarness
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

/// The pages about the command's output match the output.
@Suite("Pages of the comparison", .limitedConcurrency)
struct PageTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// `LOCKSTEP_WRITE_PAGES=1 swift test --filter PageTests` rewrites the tables and the calls.
    @Test func safetyTablesAndCallsMatchTheReports() throws {
        let page = Self.root.appendingPathComponent("docs/coming-from.md")
        let calls = Self.root.appendingPathComponent("Tests/Fixtures/MoveCalls.md")
        let mark = "<!-- moves -->\n"
        let parts = try String(contentsOf: page, encoding: .utf8).components(separatedBy: mark)
        try #require(parts.count == 3)
        if ProcessInfo.processInfo.environment["LOCKSTEP_WRITE_PAGES"] != nil {
            let text = [parts[0], MovingPage.tables, parts[2]].joined(separator: mark)
            try text.write(to: page, atomically: true, encoding: .utf8)
            try MovingPage.statements.write(to: calls, atomically: true, encoding: .utf8)
        } else {
            #expect(parts[1] == MovingPage.tables, "docs/coming-from.md is old: write it anew")
            let written = try String(contentsOf: calls, encoding: .utf8)
            #expect(written == MovingPage.statements, "Tests/Fixtures/MoveCalls.md is old: write it anew")
        }
    }

    @Test func theJSONPageNamesEveryMember() async throws {
        let names = InMemoryHarness().variants.map(\.name)
        let harnesses = [OneVariant("a", variant: names[0]), OneVariant("b", variant: names[1])]
        let contracts = Catalog.all.filter { $0.id.hasPrefix("sign-in.password.") || $0.id.hasPrefix("capability.") }
        let report = await ContractReport.run(contracts, on: harnesses)
        let some = Journey.all.filter { ["sign-up", "sign-in", "guest"].contains($0.id) }
        let comparison = await Comparison.run(some, on: [harnesses[1], OneVariant("other")], isMove: true)
        var sideBySide = await Comparison.run(some, on: harnesses).json
        sideBySide["contracts"] = .object(report.summaryJSON)
        let failure: JSON = ["version": .int(Comparison.formatVersion), "error": ["message": "words"]]
        var move = comparison.json(from: harnesses[1].name, to: "other")
        // Their members are those of `changes`.
        for list in ["bySetting", "wayBack"] {
            for change in move[list]?.array ?? [] {
                #expect(change.object?.map(\.name) == move["changes"]?.array?.first?.object?.map(\.name))
            }
            move[list] = .array([])
        }
        let printed: [(title: String, json: JSON)] = [
            ("Side by side", .object(sideBySide)), ("A move", .object(move)), ("Contracts", .object(report.json)),
            ("An ending without data", failure),
        ]
        let page = try String(contentsOf: Self.root.appendingPathComponent("docs/json.md"), encoding: .utf8)
        for (title, json) in printed {
            let section = page.split(separator: "\n## ").first { $0.hasPrefix(title) } ?? ""
            let documented = section.split(separator: "\n").compactMap { line -> String? in
                let pieces = line.split(separator: "`", omittingEmptySubsequences: false)
                return line.hasPrefix("| `") && pieces.count > 1 ? String(pieces[1]) : nil
            }
            let all = Self.members(of: json, "")
            // An empty list shows none of its members.
            let members = all.filter { member in !all.contains { $0.hasPrefix(member + ".") } }
            #expect(Set(documented) == members, "\(title)")
            #expect(page.contains("version \(Comparison.formatVersion)"))
        }
    }

    /// Members with the name of a provider, a statement or a verdict.
    private static let open: Set = [
        "variants", "variants.*[].declares", "journeys[].providers", "journeys[].differences[].values",
        "declared[].values",
        "contracts", "contracts.*", "contracts[].verdicts", "summary", "summary.*",
    ]

    private static func members(of json: JSON, _ path: String) -> Set<String> {
        if let object = json.object {
            return Set(
                object.flatMap { name, value in
                    members(of: value, (path.isEmpty ? "" : path + ".") + (open.contains(path) ? "*" : name))
                })
        }
        guard let elements = json.array else { return [path] }
        return elements.isEmpty ? [path + "[]"] : elements.reduce(into: []) { $0.formUnion(members(of: $1, path + "[]")) }
    }
}
