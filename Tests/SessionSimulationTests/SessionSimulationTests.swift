import Testing

@testable import SessionSimulation

@Suite("The session machine, simulated")
struct SessionSimulationTests {
    @Test func holdsInEveryOrderOfEvents() {
        let failure = SessionSimulation.run(seeds: 0..<2000)
        if let failure { Issue.record("\(failure)") }
    }

    @Test(arguments: SimulatedStore.Flaw.allCases)
    func aFlawedStoreIsNoticed(_ flaw: SimulatedStore.Flaw) {
        let failure = SessionSimulation.run(seeds: 0..<3000, flaw: flaw)
        #expect(failure != nil)
        #expect((failure?.schedule.moves.count ?? 0) < 30)
    }

    @Test func aFailureIsReplayed() throws {
        let failure = try #require(SessionSimulation.run(seeds: 0..<3000, flaw: .overwrites))
        let again = try #require(Schedule(failure.schedule.description))
        #expect(again == failure.schedule)
        #expect(SessionSimulation.replay(again, seed: failure.seed) == nil, "the sound store holds under the same schedule")
    }

    @Test(arguments: ["", "x", "1,,70000"]) func whatIsNoScheduleIsRefused(_ text: String) {
        #expect(Schedule(text) == nil)
    }
}
