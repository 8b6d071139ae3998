public import LockstepPrimitives
internal import Synchronization

/// Lets so many requests a period through for each key, on the backend's clock: a bucket that empties evenly (GCRA).
public final class RateLimiter: Sendable {
    private let clock: MovableClock
    private let burst: Int
    private let interval: Duration
    private let theoreticalArrivals = Mutex<[String: Duration]>([:])

    /// `burst` requests at once, refilled evenly over `period`.
    public init(_ burst: Int, per period: Duration, clock: MovableClock) {
        self.clock = clock
        self.burst = max(1, burst)
        interval = period / Double(max(1, burst))
    }

    /// Takes one request of `key` in.
    ///
    /// - Returns: `nil` when it may pass, otherwise how long to wait.
    public func admit(_ key: String) -> Duration? {
        let now = clock.uptime
        return theoreticalArrivals.withLock { arrivals in
            let arrival = max(arrivals[key] ?? now, now)
            let wait = arrival - now - interval * Double(burst - 1)
            if wait > .zero { return wait }
            if arrivals.count > 10_000 { arrivals = arrivals.filter { $0.value > now } }
            arrivals[key] = arrival + interval
            return nil
        }
    }

    /// Forgets who has asked.
    public func reset() {
        theoreticalArrivals.withLock { $0.removeAll() }
    }
}
