import Lockstep
import LockstepContracts
import LockstepPrimitives
import LockstepTestSupport
import Observation
import Synchronization
import Testing

@testable import LockstepModels

/// Whole seconds, by a clock that is advanced, set and put to sleep.
@Suite("Countdowns", .timeLimit(.minutes(20)))
@MainActor
struct CountdownTests {
    private let clock = ManualClock(base: FixedClock())

    @Test("seconds are whole, rounded up, and end at zero")
    func roundsUp() {
        let countdown = Countdown(until: clock.now + .milliseconds(2500), clock: clock)
        #expect(countdown.secondsLeft == 3 && !countdown.isOver)
        for (step, seconds) in [(500, 2), (999, 2), (1, 1), (999, 1), (1, 0), (10_000, 0)] {
            clock.advance(by: .milliseconds(step))
            countdown.update()
            #expect(countdown.secondsLeft == seconds)
        }
        #expect(countdown.isOver)
        #expect(Countdown(until: clock.now - .seconds(5), clock: clock).isOver)
    }

    @Test("a countdown ignores clock changes and includes sleep")
    func survivesAClockChange() {
        let countdown = Countdown(until: clock.now + .seconds(30), clock: clock)
        for shift in [7200, -14_400, 86_400] {
            clock.shiftWall(by: .seconds(shift))
            countdown.update()
            #expect(countdown.secondsLeft == 30)
        }
        // The machine slept, and uptime includes that.
        clock.advance(by: .seconds(20))
        countdown.update()
        #expect(countdown.secondsLeft == 10)
    }

    @Test("a countdown ticks once a second, only while it is observed")
    func ticksWhileWatched() async {
        let sleeps = SleepLog(clock)
        let countdown = Countdown(until: clock.now + .milliseconds(3200), clock: sleeps)
        #expect(sleeps.durations.isEmpty)
        let watching = Task { await countdown.watch() }
        for (number, seconds) in [(1, 3), (2, 2), (3, 1), (4, 0)] {
            while sleeps.durations.count < number { await Task.yield() }
            clock.advance(by: sleeps.durations[number - 1])
            while countdown.secondsLeft > seconds { await Task.yield() }
            #expect(countdown.secondsLeft == seconds)
        }
        #expect(sleeps.durations == [.milliseconds(200), .seconds(1), .seconds(1), .seconds(1)])
        // It is over and does not tick any more.
        await countdown.watchToEnd()
        #expect(sleeps.durations.count == 4)
        // When it restarts, its observer is notified and sees it tick.
        let end = clock.uptime + .seconds(30)
        let clock = clock
        countdown.restart { end - clock.uptime }
        #expect(countdown.secondsLeft == 30)
        while sleeps.durations.count < 5 { await Task.yield() }
        clock.advance(by: .seconds(1))
        while countdown.secondsLeft == 30 { await Task.yield() }
        #expect(countdown.secondsLeft == 29)
        watching.cancel()
        await watching.value
    }

    @Test(
        "a resent message restarts the countdown of the screen",
        arguments: [Place.code, .goTrue, .firebase])
    func continuesAfterAResend(_ place: Place) async throws {
        try await place.run { backend in
            let app = await backend.launch()
            try await EntryJourneyTests.begin(app)
            let model = try app.verification()
            let (countdown, expiry) = (try #require(model.resendCountdown), model.expiryCountdown)
            let (wait, life) = (countdown.secondsLeft, expiry?.secondsLeft)
            let watching = Task { await countdown.watch() }
            try await backend.advance(by: .seconds(wait))
            countdown.update()
            #expect(model.canResend)
            await model.resend()
            #expect(model.form.problems.isEmpty && model.resendCountdown === countdown && model.expiryCountdown === expiry)
            #expect(countdown.secondsLeft == wait && expiry?.secondsLeft == life)
            // It ticks for the same observer. No other call reads the clock here.
            while countdown.secondsLeft == wait {
                backend.environment.clock.advance(by: .seconds(1))
                for _ in 0..<100 { await Task.yield() }
            }
            watching.cancel()
            await watching.value
        }
    }

    @Test("a cancelled observation ends, and the next one shows the right number immediately")
    func endsWithItsTask() async {
        let sleeps = SleepLog(clock)
        let countdown = Countdown(until: clock.now + .seconds(60), clock: sleeps)
        let watching = Task { await countdown.watch() }
        while sleeps.durations.isEmpty { await Task.yield() }
        watching.cancel()
        await watching.value
        #expect(sleeps.durations.count == 1)
        clock.advance(by: .seconds(45))
        let again = Task { await countdown.watch() }
        while sleeps.durations.count < 2 { await Task.yield() }
        #expect(countdown.secondsLeft == 15)
        again.cancel()
        await again.value
    }

    @Test("a view is notified once a second, and only of a change")
    func notifiesOncePerSecond() {
        let countdown = Countdown(until: clock.now + .seconds(10), clock: clock)
        let changes = Atomic(0)
        func follow() {
            withObservationTracking {
                _ = countdown.secondsLeft
            } onChange: {
                changes.add(1, ordering: .relaxed)
            }
        }
        follow()
        countdown.update()
        #expect(changes.load(ordering: .relaxed) == 0)
        clock.advance(by: .seconds(1))
        countdown.update()
        #expect(changes.load(ordering: .relaxed) == 1)
    }
}

/// A clock that records how long it slept.
private final class SleepLog: DeviceClock {
    private let base: any DeviceClock
    private let log = Mutex<[Duration]>([])

    init(_ base: any DeviceClock) { self.base = base }

    var durations: [Duration] { log.withLock { $0 } }
    var now: Instant { base.now }
    var uptime: Duration { base.uptime }
    var bootID: String { base.bootID }

    func sleep(for duration: Duration) async throws {
        log.withLock { $0.append(duration) }
        try await base.sleep(for: duration)
    }
}
