internal import LockstepPrimitives
public import LockstepTestSupport
internal import Synchronization

/// Limits how many requests each key may make in a period.
///
/// The limit is a bucket that drains evenly (GCRA), on the backend's clock. A key is a string such as an IP address.
public final class RateLimiter: Sendable {
    private let clock: ManualClock
    private let burst: Int
    private let interval: Duration
    private let state = Mutex(State())

    private struct State {
        /// The time at which the bucket of each key is empty again.
        var arrivals: [ExactString: Duration] = [:]
        /// The maximum number of keys; above this number, keys with an empty bucket are removed.
        var limit = State.leastLimit

        static let leastLimit = 10_000
    }

    /// Creates a limiter.
    ///
    /// - Parameters:
    ///   - burst: The number of requests that a key can make without waiting.
    ///   - period: The time after which a key can make this number of requests again. They are refilled evenly.
    ///   - clock: The clock of the backend.
    public init(_ burst: Int, per period: Duration, clock: ManualClock) {
        self.clock = clock
        self.burst = max(1, burst)
        // Whole numbers, because a rounded product would allow one request less.
        interval = period / max(1, burst)
    }

    /// Counts one request of a key.
    ///
    /// - Returns: `nil` if the request is allowed, otherwise the time to wait.
    public func admit(_ key: String) -> Duration? {
        let now = clock.uptime
        return state.withLock { state in
            let arrival = max(state.arrivals[key.exact] ?? now, now)
            let wait = arrival - now - interval * (burst - 1)
            if wait > .zero { return wait }
            if state.arrivals.count > state.limit {
                state.arrivals = state.arrivals.filter { $0.value > now }
                // If most keys are still in use, checking all of them with each request would stop the server.
                state.limit = max(State.leastLimit, state.arrivals.count * 2)
            }
            state.arrivals[key.exact] = arrival + interval
            return nil
        }
    }

    /// Forgets the requests of all keys.
    public func reset() {
        state.withLock { $0 = State() }
    }
}
