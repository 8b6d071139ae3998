internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepTestSupport
internal import Synchronization

/// The counter of all messages of the server.
final class SendingLimiter: Sendable {
    private struct Window {
        var start: Duration
        var count = 0
    }

    private let rate: SendingRate
    private let clock: ManualClock
    private let window: Mutex<Window>
    private let bucket: RateLimiter

    init(_ rate: SendingRate, clock: ManualClock) {
        self.rate = rate
        self.clock = clock
        window = Mutex(Window(start: clock.uptime))
        bucket = RateLimiter(rate.count, per: rate.period, clock: clock)
    }

    /// Returns whether one more message may be sent, and counts it.
    func admit() -> Bool {
        guard rate.count > 0 else { return false }
        guard rate.isWindow else { return bucket.admit("all") == nil }
        return window.withLock { window in
            let now = clock.uptime
            // A reset moves the clock back.
            if now < window.start { window = Window(start: now) }
            let passed = Int64((now - window.start) / rate.period)
            if passed > 0 {
                window.start += rate.period * Double(passed)
                window.count = 0
            }
            guard window.count < rate.count else { return false }
            window.count += 1
            return true
        }
    }

    func reset() {
        bucket.reset()
        window.withLock { $0 = Window(start: clock.uptime) }
    }
}
