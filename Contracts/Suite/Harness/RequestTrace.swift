/// Counts the traffic between adapter and backend.
public protocol RequestTrace: Sendable {
    /// The sums since the environment was set up. A request that could not leave counts too.
    var totals: RequestTotals { get }

    /// Every exchange as a person reads it, redacted: of the client's side, and of the backend's where it keeps one.
    var transcript: String { get }
}

/// Sums over requests.
public struct RequestTotals: Sendable, Hashable {
    /// How many requests were sent.
    public var requests: Int
    /// Bytes sent.
    public var bytesUp: Int
    /// Bytes received.
    public var bytesDown: Int
    /// Time spent, exchanges added up.
    public var duration: Duration

    /// Sums.
    public init(requests: Int = 0, bytesUp: Int = 0, bytesDown: Int = 0, duration: Duration = .zero) {
        self.requests = requests
        self.bytesUp = bytesUp
        self.bytesDown = bytesDown
        self.duration = duration
    }

    /// The difference of two sums.
    public static func - (later: RequestTotals, earlier: RequestTotals) -> RequestTotals {
        RequestTotals(
            requests: later.requests - earlier.requests, bytesUp: later.bytesUp - earlier.bytesUp,
            bytesDown: later.bytesDown - earlier.bytesDown, duration: later.duration - earlier.duration)
    }
}
