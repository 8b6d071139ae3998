import LockstepTestConcurrency
import Testing

@testable import lockstep_lab

@Suite("Simulated sessions", .limitedConcurrency)
struct SessionSimulationTests {
    @Test func holdsInEveryOrderOfEvents() {
        let failure = SessionSimulation.run(seeds: 0..<1000)
        if let failure { Issue.record("\(failure)") }
    }

    /// Two processes, tokens that do not rotate, and a failed write: the older session must not replace the newer one.
    @Test func unwrittenOlderSessionIsReplacedByANewerOne() throws {
        let schedule = try #require(
            Schedule(
                """
                65067,16899,58061,23079,8047,36427,1868,34336,1779,12902,35964,43396,28814,27169,2660,32322,30839,44578,19653,20241,\
                58273,43224,24267,8969,40901,24971,2831
                """))
        let failure = SessionSimulation.replay(schedule, seed: 9668)
        if let failure { Issue.record("\(failure)") }
    }

    /// A sign-in that could not be written, after a sign-out that could not be written.
    ///
    /// Another process then writes the signed-out session, which must not replace the new one.
    @Test func signedOutSessionDoesNotReturn() throws {
        let schedule = try #require(
            Schedule(
                """
                19519,4683,11919,44817,56097,13250,54435,660,53451,64547,23841,4412,16172,31006,6542,33289,42947,34728,8107,38352,\
                63407,35026,63384,49999,8585,63619,8601,32486,44066,25181,9077,51800,21771,9476,45131,16259
                """))
        let failure = SessionSimulation.replay(schedule, seed: 135_757)
        if let failure { Issue.record("\(failure)") }
    }

    @Test(arguments: SimulatedStore.Flaw.allCases)
    func aFlawedStoreIsNoticed(_ flaw: SimulatedStore.Flaw) {
        let failure = SessionSimulation.run(seeds: 0..<3000, flaw: flaw)
        #expect(failure != nil)
        #expect((failure?.schedule.moves.count ?? 0) < 30)
    }

    @Test func failureIsReproducedByItsSchedule() throws {
        let failure = try #require(SessionSimulation.run(seeds: 0..<3000, flaw: .overwrites))
        let again = try #require(Schedule(failure.schedule.description))
        #expect(again == failure.schedule)
        #expect(SessionSimulation.replay(again, seed: failure.seed) == nil, "the sound store holds under the same schedule")
    }

    @Test(arguments: ["", "x", "1,,70000"]) func malformedScheduleIsRejected(_ text: String) {
        #expect(Schedule(text) == nil)
    }
}
