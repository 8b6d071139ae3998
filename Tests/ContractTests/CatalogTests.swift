import Foundation
import Lockstep
import LockstepContracts
import Testing

@Suite("The contract catalog")
struct CatalogTests {
    @Test("ids are unique, dotted and in lower case")
    func idsAreUniqueAndDotted() {
        let ids = Catalog.all.map(\.id) + StoreCatalog.all.map(\.id)
        #expect(Set(ids).count == ids.count)
        for id in ids {
            let parts = id.split(separator: ".", omittingEmptySubsequences: false)
            #expect(parts.count >= 2, "\(id)")
            #expect(parts.allSatisfy { !$0.isEmpty && $0.allSatisfy { $0.isLowercase || $0 == "-" || $0.isNumber } }, "\(id)")
        }
    }

    @Test("every contract builds on existing contracts, without a cycle")
    func everyContractBuildsOnContractsThatExist() {
        func depth(_ id: String, _ path: [String]) {
            #expect(!path.contains(id), "\(path) leads back to \(id)")
            #expect(Catalog[id] != nil, "\(id) is not a contract")
            guard !path.contains(id) else { return }
            for ground in Catalog[id]?.buildsOn ?? [] { depth(ground, path + [id]) }
        }
        for contract in Catalog.all { depth(contract.id, []) }
    }

    @Test("every capability has a contract for its absence")
    func everyCapabilityHasAContractForItsAbsence() {
        for capability in Capability.all {
            #expect(Catalog.all.contains { $0.demands.appliesTo == .notClaiming(capability) }, "\(capability)")
        }
    }

    private static let docs = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("docs")

    @Test("every rule for apps names the contracts that check it")
    func everyRuleNamesItsContracts() throws {
        let page = try String(contentsOf: Self.docs.appendingPathComponent("sessions.md"), encoding: .utf8)
        let section = page.components(separatedBy: "\n## What an app can rely on\n").last?.components(separatedBy: "\n## ").first
        let known = Set(Catalog.all.map(\.id) + StoreCatalog.all.map(\.id))
        let rules = (section ?? "").split(separator: "\n").filter {
            $0.hasPrefix("| ") && !$0.hasPrefix("| rule") && !$0.hasPrefix("| ---")
        }
        #expect(rules.count > 30)
        for rule in rules {
            let proofs = rule.split(separator: "|").last?.split(separator: "`").filter { $0.contains(".") } ?? []
            #expect(!proofs.isEmpty, "no contract proves: \(rule)")
            for proof in proofs where !known.contains(String(proof)) { Issue.record("there is no contract \(proof)") }
        }
    }

    /// `LOCKSTEP_WRITE_PAGES=1 swift test --filter CatalogTests` rewrites the page.
    ///
    /// An id leaves the page only if the changelog names it.
    @Test("the page in docs matches the catalog, and no id is lost")
    func pageMatchesTheCatalog() throws {
        let page = Self.docs.appendingPathComponent("contracts.md")
        let changes = try String(contentsOf: Self.docs.appendingPathComponent("../CHANGELOG.md"), encoding: .utf8)
        let known = Set(Catalog.all.map(\.id) + StoreCatalog.all.map(\.id))
        let published = try String(contentsOf: page, encoding: .utf8).split(separator: "\n")
            .compactMap { $0.hasPrefix("| ") ? $0.dropFirst(2).prefix { $0 != " " } : nil }.filter { $0.contains(".") }.map(
                String.init)
        #expect(published.count > 300)
        for id in published where !known.contains(id) && !changes.contains("`\(id)`") {
            Issue.record("the contract \(id) is gone, and CHANGELOG.md does not name it")
            return
        }
        if ProcessInfo.processInfo.environment["LOCKSTEP_WRITE_PAGES"] != nil {
            try Catalog.markdown.write(to: page, atomically: true, encoding: .utf8)
        }
        #expect(try String(contentsOf: page, encoding: .utf8) == Catalog.markdown, "docs/contracts.md is out of date")
    }

    @Test("every declared contract has a statement")
    func everyDeclaredContractHasAStatement() {
        for contract in Catalog.all {
            guard let declared = contract.demands.declared else { continue }
            #expect(declared.value(in: ProviderBehavior()) != nil, "\(contract.id)")
        }
    }
}
