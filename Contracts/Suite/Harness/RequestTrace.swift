/// The traffic between an adapter and its backend.
public protocol RequestTrace: Sendable {
    /// The sums since the environment was set up. A request that could not leave counts too.
    var totals: RequestTotals { get }

    /// The requests of the client's side that have ended, oldest first; `nil`, which is the default, where only sums are kept.
    var requests: [TracedRequest]? { get }

    /// Every exchange as a person reads it, redacted: of the client's side, and of the backend's where it keeps one.
    var transcript: String { get }
}

extension RequestTrace {
    /// Default: only sums are recorded.
    public var requests: [TracedRequest]? { nil }
}

/// A request, with the values that identify a repetition.
public struct TracedRequest: Sendable, Hashable {
    /// The method and the redacted address, for findings.
    public var name: String
    /// The address as it was sent, which may contain a secret; empty if there are no addresses.
    public var address: Secret
    /// A digest that is the same only for identical requests, including body and authorization.
    public var identity: String
    /// Whether it is safe to repeat (RFC 9110, section 9.2.1).
    public var isSafe: Bool
    /// The trace in its `traceparent` header, which identifies the call.
    public var call: String?

    /// A request.
    public init(name: String, address: Secret = "", identity: String, isSafe: Bool, call: String?) {
        self.name = name
        self.address = address
        self.identity = identity
        self.isSafe = isSafe
        self.call = call
    }
}

/// The totals of requests.
public struct RequestTotals: Sendable, Hashable {
    /// The number of requests.
    public var requests: Int
    /// The bytes sent.
    public var bytesUp: Int
    /// The bytes received.
    public var bytesDown: Int
    /// The total time of all requests.
    public var duration: Duration

    /// Creates totals.
    public init(requests: Int = 0, bytesUp: Int = 0, bytesDown: Int = 0, duration: Duration = .zero) {
        self.requests = requests
        self.bytesUp = bytesUp
        self.bytesDown = bytesDown
        self.duration = duration
    }

    /// Returns the difference of two totals.
    public static func - (later: RequestTotals, earlier: RequestTotals) -> RequestTotals {
        RequestTotals(
            requests: later.requests - earlier.requests, bytesUp: later.bytesUp - earlier.bytesUp,
            bytesDown: later.bytesDown - earlier.bytesDown, duration: later.duration - earlier.duration)
    }
}
