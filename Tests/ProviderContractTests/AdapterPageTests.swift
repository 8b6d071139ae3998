import Foundation
import Lockstep
import LockstepContracts
import LockstepHarnesses
import Testing

/// The table of each adapter's page, written from the adapters' claims and declarations.
@Suite("The adapters' pages")
struct AdapterPageTests {
    private static let folders = ["Firebase", "GoTrue", "Clerk"]
    private static let harnesses: [any Harness] = [FirebaseHarness(), GoTrueHarness(), ClerkHarness()]
    private static let mark = "<!-- generated -->\n"

    /// `LOCKSTEP_WRITE_PAGES=1 swift test --filter AdapterPageTests` rewrites the pages.
    @Test("pages match the declarations", arguments: folders.indices)
    func pageMatchesTheDeclarations(_ place: Int) async throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let name = Self.folders[place]
        let page = root.appendingPathComponent("Adapters/\(name)/Adapter/Lockstep\(name).docc/Lockstep\(name).md")
        let text = try String(contentsOf: page, encoding: .utf8)
        let head = try #require(text.range(of: Self.mark), "the page has lost its mark")
        let expected = text[..<head.upperBound] + (try await Self.table(of: place))
        if ProcessInfo.processInfo.environment["LOCKSTEP_WRITE_PAGES"] != nil {
            try String(expected).write(to: page, atomically: true, encoding: .utf8)
        }
        #expect(try String(contentsOf: page, encoding: .utf8) == expected, "\(page.lastPathComponent) is out of date")
    }

    private static func table(of place: Int) async throws -> String {
        var capabilities: [Set<Capability>] = []
        for harness in harnesses {
            capabilities.append(try await harness.capabilities(in: harness.variants[0]))
        }
        let order = [place] + harnesses.indices.filter { $0 != place }
        var lines = [
            "The table shows only what differs between the providers, in the usual configuration. `lockstep compare` measures it.",
            "",
            "| | " + order.map { folders[$0] }.joined(separator: " | ") + " |", "| --- | --- | --- | --- |",
        ]
        for capability in Capability.all.sorted(by: { $0.rawValue < $1.rawValue }) {
            let has = order.map { capabilities[$0].contains(capability) }
            guard Set(has).count > 1 else { continue }
            lines.append("| \(capability.rawValue) | " + has.map { $0 ? "yes" : "no" }.joined(separator: " | ") + " |")
        }
        let statements = order.map { harnesses[$0].variants[0].behavior.statements }
        for (row, statement) in statements[0].enumerated() {
            let values = statements.map { $0[row].value }
            guard Set(values).count > 1 else { continue }
            lines.append("| \(statement.name) | " + values.map { "`\($0)`" }.joined(separator: " | ") + " |")
        }
        lines += [
            "", "Other configurations of the same project change these values:", "", "| configuration | description | declares |",
            "| --- | --- | --- |",
        ]
        let usual = harnesses[place].variants[0]
        for variant in harnesses[place].variants.dropFirst() {
            let changed = zip(variant.behavior.statements, usual.behavior.statements).filter { $0.value != $1.value }
            let words = changed.map { "\($0.0.name) `\($0.0.value)`" }.joined(separator: ", ")
            lines.append("| \(variant.name) | \(variant.summary) | \(words.isEmpty ? "nothing else" : words) |")
        }
        return lines.joined(separator: "\n") + "\n"
    }
}

extension Harness {
    /// The claims of the adapter in a configuration.
    func capabilities(in variant: Variant) async throws -> Set<Capability> {
        let slot = CapabilitySlot()
        try await withEnvironment(variant) { await slot.fill($0.adapter.capabilities) }
        return await slot.value
    }
}

private actor CapabilitySlot {
    private(set) var value: Set<Capability> = []
    func fill(_ value: Set<Capability>) { self.value = value }
}
