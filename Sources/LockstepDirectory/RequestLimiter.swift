public import Lockstep
@_exported public import LockstepPrimitives
internal import Synchronization

/// Delays the requests of directories so that they stay below a backend's rate limit.
///
/// All directories of a project share one limiter. A request waits until the limit allows it.
///
/// The backend may still report too many requests (429, `Retry-After`). In that case, all requests of these directories wait
/// for the time that the backend specifies. After that, the limiter sends the rejected request again, because the backend has
/// not started it.
///
/// ```swift
/// let limiter = RequestLimiter(10, per: .seconds(1))
/// let users = try await limiter.run { () async throws(AuthError) in try await directory.users(ids: ids) }
/// ```
public final class RequestLimiter: Sendable {
    private struct State {
        /// The times when the latest requests began, oldest first.
        ///
        /// There are at most as many as the limit allows.
        var recent: [Duration] = []
        var oldest = 0
        var pausedUntil: Duration = .zero
        var width: Int
        /// The number of consecutive requests that got a response at this width.
        var answered = 0
        /// The number of requests that began before the width was halved.
        ///
        /// Their outcome says nothing about the new width.
        var former = 0

        /// Records that a request has ended, and returns whether its outcome says something about the current width.
        mutating func counts() -> Bool {
            if former > 0 { former -= 1 }
            return former == 0
        }
    }

    /// The number of requests that a batch sends at the same time.
    public var width: Int { state.withLock { $0.width } }
    private let widths: ClosedRange<Int>
    private let count: Int
    private let interval: Duration
    private let patience: Duration
    private let clock: any DeviceClock
    private let state: Mutex<State>

    /// Creates a limiter for a backend with a known limit.
    ///
    /// - Parameters:
    ///   - count: The maximum number of requests in any period of `interval`; at least 1.
    ///   - interval: The length of the period.
    ///   - patience: The maximum total time for which a request waits when the backend reports too many requests. If the
    ///     backend asks for a longer wait, the limiter throws the backend's error. Default: 300 seconds.
    ///   - width: The number of requests that a batch sends at the same time; at least 1. Default: 8.
    ///   - clock: The clock that measures the time.
    public init(
        _ count: Int, per interval: Duration, patience: Duration = .seconds(300), width: Int = 8,
        clock: any DeviceClock = SystemClock()
    ) {
        self.count = max(count, 1)
        self.interval = max(interval, .zero)
        self.patience = patience
        self.clock = clock
        widths = max(width, 1)...max(width, 1)
        state = Mutex(State(width: max(width, 1)))
    }

    /// Creates a limiter that finds out how many requests a backend can handle.
    ///
    /// The limiter allows one more concurrent request after each round of responses. The limiter halves this number if the
    /// backend is overloaded (429, 5xx).
    ///
    /// - Parameters:
    ///   - width: The initial number of concurrent requests of a batch; at least 1.
    ///   - most: The maximum number of concurrent requests.
    ///   - patience: The maximum total time for which a request waits when the backend reports too many requests. If the
    ///     backend asks for a longer wait, the limiter throws the backend's error. Default: 300 seconds.
    ///   - clock: The clock that measures the time.
    public init(
        growingFrom width: Int, to most: Int, patience: Duration = .seconds(300), clock: any DeviceClock = SystemClock()
    ) {
        count = 1
        interval = .zero
        self.patience = patience
        self.clock = clock
        widths = 1...max(most, 1)
        state = Mutex(State(width: min(max(width, 1), max(most, 1))))
    }

    /// Creates a limiter that sends requests without delay.
    ///
    /// A request waits only if the backend reports too many requests.
    ///
    /// - Parameters:
    ///   - patience: The maximum total time for which a request waits when the backend reports too many requests. Default: 300
    ///     seconds.
    ///   - width: The number of requests that a batch sends at the same time; at least 1. Default: 8.
    ///   - clock: The clock that measures the time.
    public convenience init(patience: Duration = .seconds(300), width: Int = 8, clock: any DeviceClock = SystemClock()) {
        self.init(1, per: .zero, patience: patience, width: width, clock: clock)
    }

    /// Sends a request as soon as the limit allows it.
    ///
    /// If the backend reports too many requests, the limiter waits and sends the request again.
    ///
    /// - Parameter request: The closure that sends the request.
    /// - Returns: The value that `request` returns.
    /// - Throws: The error that `request` throws; `tooManyRequests` if the backend asks for a longer wait than the limiter allows;
    ///   `cancelled` if the task is cancelled.
    public func run<Value: Sendable>(_ request: () async throws(AuthError) -> Value) async throws(AuthError) -> Value {
        var waited: Duration = .zero
        while true {
            try await turn()
            do {
                let value = try await request()
                grow()
                return value
            } catch {
                if error.isOverload { shrink() }
                guard error.code == .tooManyRequests, case .after(let asked) = error.retry else { throw error }
                // If the server asks for no wait, the client must still not send requests in a tight loop.
                let wait = max(asked, Self.shortestWait)
                guard waited + wait <= patience else { throw error }
                waited += wait
                pause(for: wait)
            }
        }
    }

    private static let shortestWait = Duration.seconds(1)

    private func grow() {
        state.withLock { state in
            guard state.counts() else { return }
            state.answered += 1
            guard state.answered >= state.width, state.width < widths.upperBound else { return }
            state.width += 1
            state.answered = 0
        }
    }

    private func shrink() {
        state.withLock { state in
            guard state.counts() else { return }
            state.former = state.width
            state.width = max(state.width / 2, widths.lowerBound)
            state.answered = 0
        }
    }

    private func pause(for wait: Duration) {
        let end = clock.uptime + wait
        state.withLock { $0.pausedUntil = max($0.pausedUntil, end) }
    }

    /// Returns when a request may begin.
    private func turn() async throws(AuthError) {
        while let wait = claim() {
            do {
                try await clock.sleep(for: wait)
            } catch {
                throw .cancelled
            }
        }
    }

    /// Reserves a place for a request.
    ///
    /// If there is none, it returns how long to wait.
    private func claim() -> Duration? {
        let now = clock.uptime
        return state.withLock { state in
            if state.pausedUntil > now { return state.pausedUntil - now }
            guard interval > .zero else { return nil }
            if state.recent.count < count {
                state.recent.append(now)
                return nil
            }
            let free = state.recent[state.oldest] + interval
            guard free <= now else { return free - now }
            state.recent[state.oldest] = now
            state.oldest = (state.oldest + 1) % count
            return nil
        }
    }
}

extension AuthError {
    /// Whether the error says that the backend is overloaded.
    fileprivate var isOverload: Bool {
        code == .tooManyRequests || code == .serverUnavailable || (provider?.status).map { $0 >= 500 } == true
    }
}
