public import Lockstep
@_exported public import LockstepPrimitives
internal import Synchronization

/// Keeps the requests of directories within a backend's limits: all directories of one project share one limiter.
///
/// A request waits until the limit lets it go. Where the backend says all the same that there were too many (429, `Retry-After`), every
/// request of every directory that shares the limiter waits for as long as it says, and the refused one is sent again: the backend has
/// not begun on it.
public final class RequestLimiter: Sendable {
    private struct State {
        /// When the last requests were let go, the oldest first; as many as the limit allows at a time.
        var recent: [Duration] = []
        var oldest = 0
        var pausedUntil: Duration = .zero
        var width: Int
        /// How many requests in a row had an answer at this width.
        var answered = 0
        /// How many requests began before the width was halved: what becomes of them says nothing about the new width.
        var former = 0

        /// Notes that a request is over; whether it counts.
        mutating func counts() -> Bool {
            if former > 0 { former -= 1 }
            return former == 0
        }
    }

    /// How many requests of a batch are under way at the same time.
    public var width: Int { state.withLock { $0.width } }
    private let widths: ClosedRange<Int>
    private let count: Int
    private let interval: Duration
    private let patience: Duration
    private let clock: any DeviceClock
    private let state: Mutex<State>

    /// A limit.
    ///
    /// - Parameters:
    ///   - count: How many requests may begin in any time as long as `interval`; at least 1.
    ///   - interval: That time.
    ///   - patience: How long one request waits in all because the backend says so; where it asks for more, its error is thrown.
    ///   - width: How many requests of a batch are under way at the same time; at least 1.
    ///   - clock: The clock that it waits by.
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

    /// A limiter for a backend whose limit is not known: the width grows by one with each round of answers, and halves if the backend has
    /// too much to do (429, 5xx).
    ///
    /// - Parameters:
    ///   - width: How many requests of a batch are under way at the same time at first; at least 1.
    ///   - most: The largest width.
    ///   - patience: How long one request waits in all because the backend says so; where it asks for more, its error is thrown.
    ///   - clock: The clock that it waits by.
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

    /// No limit of its own: it waits only where the backend says so.
    public convenience init(patience: Duration = .seconds(300), width: Int = 8, clock: any DeviceClock = SystemClock()) {
        self.init(1, per: .zero, patience: patience, width: width, clock: clock)
    }

    /// Sends a request when it may go, and again where the backend had too many.
    ///
    /// - Throws: the request's own error; `tooManyRequests` where the backend asks for a longer wait than the patience; `cancelled`.
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
                // A server that asks for no time at all must not be asked in a loop.
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

    /// Takes a place among the requests; how long to wait for one where there is none.
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
    /// Whether the backend has too much to do.
    fileprivate var isOverload: Bool {
        code == .tooManyRequests || code == .serverUnavailable || (provider?.status).map { $0 >= 500 } == true
    }
}
