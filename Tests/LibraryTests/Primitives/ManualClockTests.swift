import LockstepPrimitives
import LockstepTestSupport
import Synchronization
import Testing

@Suite struct ManualClockTests {
    let base = StandingClock()
    var clock: ManualClock { ManualClock(base: base) }

    @Test func showsItsBaseTimeUntilAdvanced() {
        let clock = clock
        #expect(clock.now == base.now)
        #expect(clock.uptime == base.uptime)
        #expect(clock.bootID == base.bootID)
        clock.advance(by: .seconds(60))
        #expect(clock.now - base.now == .seconds(60))
        #expect(clock.uptime - base.uptime == .seconds(60))
        clock.shiftWall(by: .seconds(-3600))
        #expect(clock.offset == .seconds(60 - 3600))
        #expect(clock.uptime - base.uptime == .seconds(60))
        clock.reboot()
        #expect(clock.uptime == .zero)
        #expect(clock.bootID != base.bootID)
        #expect(clock.offset == .seconds(60 - 3600))
    }

    @Test func sleepersWakeAtTheirTime() async throws {
        let clock = clock
        try await withThrowingTaskGroup(of: Int.self) { group in
            for seconds in [10, 20, 30] {
                group.addTask {
                    try await clock.sleep(for: .seconds(seconds))
                    return seconds
                }
            }
            await base.waitForSleepers(3)
            clock.advance(by: .seconds(10))
            var woken = try await group.next()
            #expect(woken == 10)
            // The others sleep again for the remaining ten and twenty seconds.
            await base.waitForSleepers(2) { $0.sorted() == [.seconds(10), .seconds(20)] }
            clock.advance(by: .seconds(15))
            woken = try await group.next()
            #expect(woken == 20)
            clock.advance(by: .seconds(5))
            woken = try await group.next()
            #expect(woken == 30)
        }
    }

    /// While it is stopped, only explicit moves change it.
    ///
    /// Afterwards it continues from its current time.
    @Test func stoppedClockDoesNotAdvance() async throws {
        let clock = clock
        let (now, uptime) = (clock.now, clock.uptime)
        clock.stop()
        base.pass(.seconds(100))
        #expect(clock.isStopped && clock.now == now && clock.uptime == uptime)
        #expect(clock.offset == .seconds(-100))
        clock.advance(by: .seconds(5))
        #expect(clock.now - now == .seconds(5) && clock.uptime - uptime == .seconds(5))
        clock.stop()
        async let sleep: Void = clock.sleep(for: .seconds(10))
        while clock.sleeps != [.seconds(10)] { await Task.yield() }
        base.pass(.seconds(1000))
        #expect(clock.sleeps == [.seconds(10)])
        clock.run()
        #expect(!clock.isStopped && clock.now - now == .seconds(5) && clock.uptime - uptime == .seconds(5))
        await base.waitForSleepers(1) { $0 == [.seconds(10)] }
        clock.advance(by: .seconds(4))
        await base.waitForSleepers(1) { $0 == [.seconds(6)] }
        base.pass(.seconds(6))
        try await sleep
        #expect(clock.now - now == .seconds(15))
        // A running clock is not started again.
        clock.run()
        #expect(clock.now - now == .seconds(15))
    }

    @Test func sleepersWakeAfterRealTimePasses() async throws {
        let clock = clock
        async let sleep: Void = clock.sleep(for: .seconds(10))
        await base.waitForSleepers(1)
        clock.advance(by: .seconds(4))
        await base.waitForSleepers(1) { $0 == [.seconds(6)] }
        base.pass(.seconds(6))
        try await sleep
    }

    @Test func cancelledSleepersReturnImmediately() async throws {
        let clock = clock
        let sleeper = Task { try await clock.sleep(for: .seconds(10)) }
        await base.waitForSleepers(1)
        sleeper.cancel()
        await #expect(throws: CancellationError.self) { try await sleeper.value }
        let early = Task {
            while !Task.isCancelled { await Task.yield() }
            try await clock.sleep(for: .seconds(10))
        }
        early.cancel()
        await #expect(throws: CancellationError.self) { try await early.value }
    }

    @Test func sleepingForNoTimeReturns() async throws {
        try await clock.sleep(for: .zero)
        try await clock.sleep(for: .seconds(-1))
    }
}

/// A clock that advances only when a test says so.
final class StandingClock: DeviceClock {
    private struct Sleeper {
        var duration: Duration
        var deadline: Duration
        var wake: CheckedContinuation<Void, any Error>
    }
    private struct State {
        var uptime: Duration = .seconds(1000)
        var nextID = 0
        var sleepers: [Int: Sleeper] = [:]
        var cancelled: Set<Int> = []
    }
    private let state = Mutex(State())

    let bootID = "standing"
    var now: Instant { Instant(seconds: 1_767_225_600) + uptime }
    var uptime: Duration { state.withLock { $0.uptime } }
    /// The durations of the current sleepers.
    var sleeps: [Duration] { state.withLock { $0.sleepers.values.map(\.duration) } }

    func pass(_ duration: Duration) {
        let due = state.withLock { state in
            state.uptime += duration
            let due = state.sleepers.filter { $0.value.deadline <= state.uptime }
            for id in due.keys { state.sleepers[id] = nil }
            return due.values.map(\.wake)
        }
        for wake in due { wake.resume() }
    }

    func waitForSleepers(_ count: Int, where isRight: ([Duration]) -> Bool = { _ in true }) async {
        while sleeps.count != count || !isRight(sleeps) { await Task.yield() }
    }

    func sleep(for duration: Duration) async throws {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { wake in
                let isCancelled = state.withLock { state in
                    if state.cancelled.contains(id) { return true }
                    state.sleepers[id] = Sleeper(duration: duration, deadline: state.uptime + duration, wake: wake)
                    return false
                }
                if isCancelled { wake.resume(throwing: CancellationError()) }
            }
        } onCancel: {
            let sleeper = state.withLock { state in
                state.cancelled.insert(id)
                return state.sleepers.removeValue(forKey: id)
            }
            sleeper?.wake.resume(throwing: CancellationError())
        }
    }
}
