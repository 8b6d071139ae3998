import Foundation
import LockstepComparison
import LockstepContracts
import LockstepInMemoryHarness
import LockstepPrimitives
import LockstepTestConcurrency
import Synchronization
import Testing

@Suite("A report of contracts", .limitedConcurrency)
struct ContractReportTests {
    @Test func everyFormatContainsEveryVerdict() async throws {
        let contracts = Catalog.all.filter { $0.id.hasPrefix("sign-in.password.") || $0.id.hasPrefix("capability.") }
        let harnesses = InMemoryHarness().variants.prefix(2).map { OneVariant($0.name, variant: $0.name) }
        let report = await ContractReport.run(contracts, on: harnesses)
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
        #expect(report.text(isVerbose: true).contains("sign-in.password.completes"))
        #expect(!report.text().contains("sign-in.password.completes"))
        #expect(report.markdown.contains("sign-in.password.completes"))
        #expect(report.html.contains("sign-in.password.completes"))
        let page = await Comparison.run([], on: harnesses).html(with: report)
        #expect(page.contains("<h2>Contracts</h2>\n<div class=\"table\">"))
        #expect(
            report.html.contains("name=\"viewport\"") && report.html.contains("<style>")
                && report.html.contains("<div class=\"table\">"))
        #expect(page.contains("<tr><th>broken</th><td>0</td><td>0</td></tr>"))
    }

    /// The whole catalog in random order.
    ///
    /// The seed in the message of a failure repeats it.
    @Test func noVerdictDependsOnTheOrder() async throws {
        let variants = InMemoryHarness().variants
        let seed = UInt64.random(in: .min ... .max)
        let variant = variants[Int(seed % UInt64(variants.count))].name
        let report = await ContractReport.run(Catalog.all, on: [OneVariant(variant, variant: variant)], width: 4, seed: seed)
        #expect(!report.isEmpty && !report.isBroken, "lockstep contracts --shuffle \(seed), \(variant): \(report.summary())")
    }

    @Test func aSeedDecidesTheOrder() async {
        func order(_ seed: UInt64?) async -> [String] {
            let harness = OneVariant("a", variant: InMemoryHarness().variants[0].name)
            let noted = NotedOrder()
            let contracts = Catalog.all.prefix(40).map { contract in
                Contract(contract.id, contract.statement) { _ in await noted.note(contract.id) }
            }
            let report = await ContractReport.run(contracts, on: [harness], width: 1, seed: seed)
            #expect(report.entries.map(\.contract.id) == contracts.map(\.id))
            return await noted.ids
        }
        let first = await order(7)
        #expect(await order(nil) == Catalog.all.prefix(40).map(\.id))
        #expect(await order(7) == first && first != Catalog.all.prefix(40).map(\.id))
        #expect(await order(8) != first)
    }

    @Test func runWithoutChecksIsEmptyAndNoSuccess() async {
        let report = await ContractReport.run([], on: [OneVariant("a")])
        #expect(report.isEmpty && !report.isSuccess)
    }

    /// The report gives the reason of a check that could not run or was left out, and the run is not a success.
    @Test func uncheckedContractIsReportedWithItsReason() async {
        let contracts = [
            Contract("one.fails", "It cannot run.") { _ in throw HarnessFailure("the backend has gone") },
            Contract("one.lacks", "It lacks a control.", needs: [.issuer]) { _ in },
            Contract("one.holds", "It holds.") { _ in },
        ]
        let report = await ContractReport.run(
            contracts, on: [OneVariant("a", variant: InMemoryHarness().variants[0].name) { $0.issuer = nil }])
        #expect(report.isIncomplete && !report.isSuccess && !report.isEmpty && !report.isBroken)
        let summary = report.summary()
        #expect(summary.contains("a, variant \(InMemoryHarness().variants[0].name): one.fails could not run: "), "\(summary)")
        #expect(summary.contains("the backend has gone") && summary.contains("one.lacks was not checked: "), "\(summary)")
        #expect(report.text().contains(summary) && report.text(isVerbose: true).contains(summary))
    }

    @Test func headlineNamesWhatWasChecked() async {
        let harness = OneVariant("a", variant: InMemoryHarness().variants[0].name)
        let declaring = Catalog.all.filter { $0.id == "sign-in.password.unknown-like-wrong" }
        #expect(await ContractReport.run(declaring, on: [harness]).summary().hasPrefix("Contracts that check declared behavior"))
        let all = await ContractReport.run(declaring + Catalog.all.filter { $0.demands.declared == nil }.prefix(1), on: [harness])
        #expect(all.summary().hasPrefix("Contracts  "))
    }

    /// The counts of a group, and values in words that are not cut, at every width.
    @Test(arguments: [60, 80, 120]) func groupsAreCountedAndWordsAreNotCut(_ width: Int) async {
        let harnesses = InMemoryHarness().variants.prefix(2).map { OneVariant($0.name, variant: $0.name) }
        let contracts = Catalog.all.filter { $0.demands.declared != nil }
        let report = await ContractReport.run(contracts, on: harnesses)
        let kept = report.entries.filter { $0.contract.id.hasPrefix("session.") && $0.verdict(0) == .kept }.count
        let row = report.text(width: width).split(separator: "\n").first { $0.hasPrefix("   session ") }
        #expect(row?.split(separator: " ").dropFirst().first == "\(kept)", "\(row ?? "")")
        let verbose = report.text(width: width, isVerbose: true)
        for contract in contracts {
            #expect(verbose.split(separator: "\n").contains { $0.hasPrefix(contract.id) }, "\(contract.id)")
        }
        for behavior in InMemoryHarness().variants.prefix(2).map(\.behavior) {
            for statement in behavior.statements {
                let isCamel = statement.value.contains(where: \.isUppercase)
                #expect(!isCamel || !verbose.contains(statement.value), "\(statement)")
            }
        }
    }

    /// Each case has its time, and a suite has the sum.
    @Test func junitReportHasTimes() async throws {
        let contracts = Catalog.all.filter { $0.id.hasPrefix("sign-in.password.") }
        let report = await ContractReport.run(
            contracts, on: [OneVariant("a", variant: InMemoryHarness().variants[0].name)], clock: SteppingClock())
        let times = report.junit.components(separatedBy: " time=\"").dropFirst().compactMap { Double($0.prefix { $0 != "\"" }) }
        #expect(times.count == 1 + report.entries.flatMap { $0.outcomes[0] }.count)
        #expect(times.dropFirst().allSatisfy { $0 > 0 } && abs(times[0] - times.dropFirst().reduce(0, +)) < 0.01, "\(times)")
    }
}

/// The order in which checks began.
private actor NotedOrder {
    private(set) var ids: [String] = []

    func note(_ id: String) { ids.append(id) }
}

/// A clock that advances by ten milliseconds at each reading.
private final class SteppingClock: DeviceClock {
    private let reads = Mutex(0)
    let bootID = "boot"
    let now = Instant(milliseconds: 0)

    var uptime: Duration {
        .milliseconds(
            10
                * reads.withLock {
                    $0 += 1
                    return $0
                })
    }

    func sleep(for duration: Duration) async throws {}
}
