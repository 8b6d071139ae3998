import LockstepTestSupport
import Testing

@testable import Lockstep

/// The retry time for an app is a time that a screen can show and a program can sleep for.
struct RetryAdviceTests {
    @Test(arguments: [
        (Duration.seconds(-5), Duration.zero), (.zero, .zero), (.seconds(17), .seconds(17)),
        (RetryAdvice.longest, RetryAdvice.longest), (.seconds(100_000_000_000_000_000), RetryAdvice.longest),
        (.seconds(Int64.max) + .seconds(Int64.max), RetryAdvice.longest), (.seconds(Int64.min), .zero),
    ])
    func retryDelayIsBounded(_ told: Duration, _ expected: Duration) {
        var error = AuthError(.tooManyRequests, "Too many.", retry: .after(told))
        #expect(error.retry == .after(expected))
        error.retry = .now
        #expect(error.retry == .now)
        error.retry = .after(told)
        #expect(error.retry == .after(expected))
    }

    /// A backend that asks for a year gets an hour, and a clock that went back ends the pause.
    @Test func pauseBeforeTheNextCallIsBounded() {
        var backoff = Backoff()
        func refusal(at uptime: Int) -> AuthError? { backoff.refusal(on: FixedClock(uptime: .seconds(uptime))) }
        let error = AuthError(.tooManyRequests, "Too many.", retry: .after(.seconds(31_536_000)))
        backoff.failed(error, ClientEffects(clock: FixedClock(uptime: .seconds(5000)), randomness: SystemRandomness()))
        #expect(refusal(at: 8599)?.retry == .after(.seconds(1)))
        #expect(refusal(at: 8600) == nil)
        #expect(refusal(at: 4999) == nil)
    }
}
