import LockstepComparison
import LockstepContracts
import LockstepInMemoryHarness
import LockstepPrimitives
import Testing

@Suite("A report of promises")
struct PromiseReportTests {
    @Test func tellsEveryVerdictInEveryForm() async throws {
        let contracts = Catalog.all.filter { $0.id.hasPrefix("sign-in.password.") || $0.id.hasPrefix("capability.") }
        let harnesses = InMemoryHarness().variants.prefix(2).map { OneVariant($0.name, variant: $0.name) }
        let report = await PromiseReport.run(contracts, on: harnesses)
        #expect(!report.isEmpty)
        #expect(!report.isBroken, "\(report.summary())")
        let json = try JSON.parse(JSON.object(report.json).bytes())
        let entries = try #require(json["contracts"]?.array)
        #expect(entries.compactMap { $0["id"]?.string } == contracts.map(\.id))
        for entry in entries {
            for harness in harnesses {
                let verdict = entry["verdicts"]?[harness.name]?["verdict"]?.string
                #expect(verdict.map(Verdict.names.contains) == true)
            }
        }
        #expect(report.junit.contains("<testsuite name=\"\(harnesses[0].name)\""))
        #expect(report.table().contains("sign-in.password.completes"))
        #expect(report.markdown.contains("sign-in.password.completes"))
        #expect(report.html.contains("sign-in.password.completes"))
        let page = await Comparison.run([], on: harnesses).html(with: report)
        #expect(page.contains("<h2>Promises</h2><div class=\"table\">"))
        #expect(
            report.html.contains("name=\"viewport\"") && report.html.contains("<style>")
                && report.html.contains("<div class=\"table\">"))
        #expect(page.contains("<tr><th>broken</th><td>0</td><td>0</td></tr>"))
    }

    /// The whole catalogue in random order; a failure is repeated by the seed in its message.
    ///
    /// Cases: K08.
    @Test func noPromiseDependsOnTheOrder() async throws {
        let variants = InMemoryHarness().variants
        let seed = UInt64.random(in: .min ... .max)
        let variant = variants[Int(seed % UInt64(variants.count))].name
        let report = await PromiseReport.run(Catalog.all, on: [OneVariant(variant, variant: variant)], width: 4, seed: seed)
        #expect(!report.isEmpty && !report.isBroken, "lockstep contracts --shuffle \(seed), \(variant): \(report.summary())")
    }

    @Test func aSeedDecidesTheOrder() async {
        func order(_ seed: UInt64?) async -> [String] {
            let harness = OneVariant("a", variant: InMemoryHarness().variants[0].name)
            let noted = NotedOrder()
            let contracts = Catalog.all.prefix(40).map { contract in
                Contract(contract.id, contract.promise) { _ in await noted.note(contract.id) }
            }
            let report = await PromiseReport.run(contracts, on: [harness], width: 1, seed: seed)
            #expect(report.entries.map(\.contract.id) == contracts.map(\.id))
            return await noted.ids
        }
        let first = await order(7)
        #expect(await order(nil) == Catalog.all.prefix(40).map(\.id))
        #expect(await order(7) == first && first != Catalog.all.prefix(40).map(\.id))
        #expect(await order(8) != first)
    }

    @Test func aRunThatChecksNothingIsEmpty() async {
        let report = await PromiseReport.run([], on: [OneVariant("a")])
        #expect(report.isEmpty && !report.isSuccess)
    }

    /// A check that could not run, or was left out, is told with its reason, and the run is no success.
    @Test func whatWasNotCheckedIsTold() async {
        let contracts = [
            Contract("one.fails", "It cannot run.") { _ in throw HarnessFailure("the backend has gone") },
            Contract("one.lacks", "It lacks a control.", needs: [.issuer]) { _ in },
            Contract("one.holds", "It holds.") { _ in },
        ]
        let report = await PromiseReport.run(
            contracts, on: [OneVariant("a", variant: InMemoryHarness().variants[0].name) { $0.issuer = nil }])
        #expect(report.isIncomplete && !report.isSuccess && !report.isEmpty && !report.isBroken)
        let summary = report.summary()
        #expect(summary.contains("a (\(InMemoryHarness().variants[0].name)) could not run one.fails: "), "\(summary)")
        #expect(summary.contains("the backend has gone") && summary.contains("has not checked one.lacks: "), "\(summary)")
        #expect(report.table().contains(summary))
    }

    @Test func theHeadSaysWhatWasChecked() async {
        let harness = OneVariant("a", variant: InMemoryHarness().variants[0].name)
        let declaring = Catalog.all.filter { $0.id == "sign-in.password.unknown-like-wrong" }
        #expect(await PromiseReport.run(declaring, on: [harness]).summary().hasPrefix("Promises that check what is declared"))
        let all = await PromiseReport.run(declaring + Catalog.all.filter { $0.declared == nil }.prefix(1), on: [harness])
        #expect(all.summary().hasPrefix("Promises  "))
    }
}

/// In which order checks began.
private actor NotedOrder {
    private(set) var ids: [String] = []

    func note(_ id: String) { ids.append(id) }
}
