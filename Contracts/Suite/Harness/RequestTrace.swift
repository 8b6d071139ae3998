/// A trace that counts and records the requests from an adapter to its backend.
public protocol RequestTrace: Sendable {
    /// The totals since the environment was set up.
    ///
    /// They include the requests that could not be sent.
    var totals: RequestTotals { get }

    /// The adapter's completed requests, oldest first; `nil` if only totals are counted.
    var requests: [TracedRequest]? { get }

    /// The requests and responses as a text for people, without secrets.
    ///
    /// It contains the requests of the adapter and the requests that the backend has recorded.
    var transcript: String { get }
}

extension RequestTrace {
    /// Default implementation for traces that only count totals: `nil`.
    public var requests: [TracedRequest]? { nil }
}

/// A request, with values that show whether the adapter has already sent the same request.
public struct TracedRequest: Sendable, Hashable {
    /// The method and the URL without secrets, for reports.
    public var name: String
    /// The sent URL, which may contain a secret; empty if there is none.
    public var address: Secret
    /// A digest of the request, including its body and authorization.
    ///
    /// Only identical requests have the same digest.
    public var identity: String
    /// Whether the request only reads data.
    ///
    /// Such a request may be sent again (RFC 9110, section 9.2.1).
    public var isSafe: Bool
    /// The trace id from the `traceparent` header, which identifies the call, or `nil`.
    public var call: String?

    /// Creates a record of a request.
    ///
    /// - Parameters:
    ///   - name: The method and the URL without secrets.
    ///   - address: The sent URL.
    ///   - identity: A digest of the request, including its body and authorization.
    ///   - isSafe: Whether the request only reads.
    ///   - call: The trace id from the `traceparent` header, or `nil`.
    public init(name: String, address: Secret = "", identity: String, isSafe: Bool, call: String?) {
        self.name = name
        self.address = address
        self.identity = identity
        self.isSafe = isSafe
        self.call = call
    }
}

/// The totals of several requests.
public struct RequestTotals: Sendable, Hashable {
    /// The number of requests.
    public var requests: Int
    /// The number of bytes sent.
    public var bytesUp: Int
    /// The number of bytes received.
    public var bytesDown: Int
    /// The sum of the durations of the requests.
    public var duration: Duration

    /// Creates totals.
    ///
    /// - Parameters:
    ///   - requests: The number of requests.
    ///   - bytesUp: The number of bytes sent.
    ///   - bytesDown: The number of bytes received.
    ///   - duration: The sum of the durations of the requests.
    public init(requests: Int = 0, bytesUp: Int = 0, bytesDown: Int = 0, duration: Duration = .zero) {
        self.requests = requests
        self.bytesUp = bytesUp
        self.bytesDown = bytesDown
        self.duration = duration
    }

    /// Returns the difference between two totals.
    ///
    /// - Returns: The totals of the requests that were sent between the two measurements.
    public static func - (later: RequestTotals, earlier: RequestTotals) -> RequestTotals {
        RequestTotals(
            requests: later.requests - earlier.requests, bytesUp: later.bytesUp - earlier.bytesUp,
            bytesDown: later.bytesDown - earlier.bytesDown, duration: later.duration - earlier.duration)
    }
}
