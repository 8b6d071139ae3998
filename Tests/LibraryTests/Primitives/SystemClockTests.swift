import LockstepPrimitives
import Testing

@Suite struct SystemClockTests {
    @Test func bootIDIsTheKernels() {
        #expect(SystemClock.bootID(of: "5E6FFEBE-0000-4000-8000-000000000000") == "5E6FFEBE-0000-4000-8000-000000000000")
        #expect(SystemClock().bootID == SystemClock().bootID)
    }

    /// If the wall clock were used, setting it would turn two starts into one, or one into two.
    @Test func unknownBootIDIsUniqueToTheProcess() {
        let name = SystemClock.bootID(of: nil)
        #expect(name.hasPrefix("process-"))
        #expect(SystemClock.bootID(of: nil) == name)
    }
}
