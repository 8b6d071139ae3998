internal import LockstepPrimitives
internal import Synchronization

/// A clock on which a wait is over at once and has taken its time: a check sees how long a directory waits, and waits not at all.
final class PassingClock: DeviceClock {
    private let passed = Mutex<Duration>(.zero)

    var now: Instant { Instant(seconds: 1_800_000_000) + time }
    var uptime: Duration { .seconds(5000) + time }
    let bootID = "passing"

    /// The sum of all waits.
    var time: Duration { passed.withLock { $0 } }

    func sleep(for duration: Duration) async throws {
        try Task.checkCancellation()
        passed.withLock { $0 += max(duration, .zero) }
        await Task.yield()
    }
}
