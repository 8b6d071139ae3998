import LockstepDirectory
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

@testable import LockstepMigration

@Suite("Batches of a move", .limitedConcurrency) struct BatchTests {
    @Test func batchGrowsToTheLargestAndShrinksToASecond() {
        var size = BatchSize(upTo: 500)
        #expect(size.value == 25)
        for _ in 0..<10 { size.adapt(to: .milliseconds(20)) }
        #expect(size.value == 500)
        size.adapt(to: .milliseconds(700))
        #expect(size.value == 500)
        for _ in 0..<10 { size.adapt(to: .seconds(3)) }
        #expect(size.value == BatchSize.least)
        size.halve()
        #expect(size.value == BatchSize.least)
        #expect(BatchSize(upTo: 4).value == 4)
    }

    @Test func progressNamesTheTimeLeftAndTheLimit() {
        let progress = ApplyProgress(done: 1500, limit: .target)
        #expect(
            progress.text(of: 1_000_000, after: .seconds(3))
                == "1,500 of 1,000,000 users done, 500 a second, 33 min left, limited by writing to the target")
        #expect(ApplyProgress(done: 0).text(of: 5, after: .seconds(3)) == "0 of 5 users done")
        #expect(ApplyProgress(done: 5).text(of: 5, after: .seconds(1)) == "5 of 5 users done, 5 a second, 0 s left")
    }

    private static func refusal(_ state: String) -> AuthError {
        AuthError(.unknown, "A trigger rejects the row.", provider: ProviderDetail(code: state))
    }

    @Test(.covers("M24")) func onlyConsecutiveEqualDatabaseErrorsStopTheRun() {
        var streak = RefusalStreak()
        for number in 1...4 { streak.add(number, Self.refusal("P0001")) }
        streak.end()
        for number in 5...8 { streak.add(number, Self.refusal("P0001")) }
        streak.add(9, AuthError(.emailAlreadyInUse, "Taken."))
        #expect(streak.users.isEmpty)
        for number in 10...13 { streak.add(number, Self.refusal("P0001")) }
        streak.add(14, Self.refusal("23502"))
        #expect(streak.users == [14] && !streak.isAtLimit)
        for number in 15...18 { streak.add(number, Self.refusal("23502")) }
        #expect(streak.isAtLimit && streak.users == [14, 15, 16, 17, 18])
    }

    private static let overload = AuthError(.serverUnavailable, "Too much to do.")

    private static func run(_ limiter: RequestLimiter, _ times: Int, _ error: AuthError? = nil) async {
        for _ in 0..<times {
            _ = try? await limiter.run { () throws(AuthError) in if let error { throw error } }
        }
    }

    @Test(.covers("M15")) func widthGrowsByStepsAndHalvesOnceForARound() async {
        let limiter = RequestLimiter(growingFrom: 4, to: 8)
        await Self.run(limiter, 4)
        #expect(limiter.width == 5)
        await Self.run(limiter, 1000)
        #expect(limiter.width == 8)
        // All eight running requests are rejected: one step.
        await Self.run(limiter, 8, Self.overload)
        #expect(limiter.width == 4)
        await Self.run(limiter, 1, Self.overload)
        #expect(limiter.width == 2)
        await Self.run(limiter, 1000, Self.overload)
        #expect(limiter.width == 1)
        await Self.run(limiter, 10)
        #expect(limiter.width > 1)
    }

    @Test func rejectedUserKeepsTheWidth() async {
        let limiter = RequestLimiter(growingFrom: 8, to: 8)
        await Self.run(limiter, 20, AuthError(.emailAlreadyInUse, "Taken."))
        #expect(limiter.width == 8)
    }
}
