internal import Synchronization

/// A bounded list of exchanges, and the sums of all of them.
public final class HTTPTrace: Sendable {
    /// Sums over exchanges.
    public struct Totals: Sendable, Hashable {
        /// How many requests were sent.
        public var requests = 0
        /// Bytes sent.
        public var bytesUp = 0
        /// Bytes received.
        public var bytesDown = 0
        /// Time spent, exchanges added up.
        public var duration: Duration = .zero

        /// Nothing yet.
        public init() {}

        /// The difference between two sums.
        public static func - (later: Totals, earlier: Totals) -> Totals {
            var difference = later
            difference.requests -= earlier.requests
            difference.bytesUp -= earlier.bytesUp
            difference.bytesDown -= earlier.bytesDown
            difference.duration -= earlier.duration
            return difference
        }
    }

    private struct State {
        var exchanges: [HTTPExchange] = []
        var totals = Totals()
    }

    private let limit: Int
    private let state = Mutex(State())

    /// An empty trace that keeps the last `limit` exchanges (at least one) and counts all.
    public init(limit: Int = 256) {
        self.limit = max(limit, 1)
    }

    /// The last exchanges, oldest first.
    public var exchanges: [HTTPExchange] { state.withLock { $0.exchanges } }

    /// The sums over every exchange there was.
    public var totals: Totals { state.withLock { $0.totals } }

    /// Adds an exchange.
    public func record(_ exchange: HTTPExchange) {
        state.withLock { state in
            if state.exchanges.count == limit { state.exchanges.removeFirst() }
            state.exchanges.append(exchange)
            state.totals.requests += 1
            state.totals.bytesUp += exchange.bytesUp
            state.totals.bytesDown += exchange.bytesDown
            state.totals.duration += exchange.duration
        }
    }
}
