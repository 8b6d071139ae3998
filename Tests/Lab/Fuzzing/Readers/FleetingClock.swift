internal import LockstepPrimitives
internal import Synchronization

/// A clock whose waits end immediately and advance its time.
final class FleetingClock: DeviceClock {
    private let passed = Mutex<Duration>(.zero)

    var now: Instant { Instant(seconds: 1_800_000_000) + passed.withLock(\.self) }
    var uptime: Duration { .seconds(5000) + passed.withLock(\.self) }
    let bootID = "fleeting"

    func sleep(for duration: Duration) async throws {
        try Task.checkCancellation()
        advance(by: max(duration, .zero))
    }

    /// Advances the clock.
    func advance(by duration: Duration) { passed.withLock { $0 += duration } }
}
