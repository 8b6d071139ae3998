internal import Synchronization

/// The latest exchanges of a transport, and the totals of all its exchanges.
///
/// ```swift
/// let trace = HTTPTrace()
/// let transport = TracingTransport(CurlTransport(), clock: SystemClock(), trace: trace)
/// _ = try await transport.send(HTTPRequest(.get, "https://api.example.com/health"))
/// print(trace.totals.requests)
/// ```
public final class HTTPTrace: Sendable {
    /// The totals of several exchanges.
    public struct Totals: Sendable, Hashable {
        /// The number of requests.
        public var requests = 0
        /// The number of bytes sent.
        public var bytesUp = 0
        /// The number of bytes received.
        public var bytesDown = 0
        /// The sum of the durations of the exchanges.
        public var duration: Duration = .zero

        /// Creates totals that are all zero.
        public init() {}

        /// Returns the difference between two totals.
        ///
        /// - Returns: The totals of the exchanges in between.
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

    /// Creates an empty trace.
    ///
    /// - Parameter limit: The number of exchanges that the trace keeps, at least one. The totals include all exchanges. Default:
    ///   256.
    public init(limit: Int = 256) {
        self.limit = max(limit, 1)
    }

    /// The latest exchanges, oldest first.
    public var exchanges: [HTTPExchange] { state.withLock { $0.exchanges } }

    /// The totals of all exchanges.
    public var totals: Totals { state.withLock { $0.totals } }

    /// Adds an exchange to the list and to the totals.
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
