import LockstepTestConcurrency
import Testing

@testable import lockstep_lab

@Suite("Short torture runs", .serialized, .limitedConcurrency)
struct TortureTests {
    @Test("finds no fault", arguments: Scenario.all)
    func scenarioFindsNoFault(_ scenario: Scenario) async {
        let tally = await scenario.run(scenario.short)
        #expect(tally.faults.isEmpty, "\(scenario.statement) \(tally.faults)")
        #expect(tally.excuse == nil)
        #expect(tally.counts.contains { $0.number > 0 }, "nothing was counted")
    }

    @Test("names are unique")
    func scenarioNamesAreUnique() { #expect(Set(Scenario.all.map(\.name)).count == Scenario.all.count) }
}
