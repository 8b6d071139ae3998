/// Counts the traffic between adapter and backend.
public protocol RequestTrace: Sendable {
    /// The sums since the environment was set up. A request that could not leave counts too.
    var totals: RequestTotals { get }

    /// The requests of the client's side that have ended, oldest first; `nil`, which is the default, where only sums are kept.
    var requests: [TracedRequest]? { get }

    /// Every exchange as a person reads it, redacted: of the client's side, and of the backend's where it keeps one.
    var transcript: String { get }
}

extension RequestTrace {
    /// Only sums are kept.
    public var requests: [TracedRequest]? { nil }
}

/// One request on the wire, as far as its repetition can be told.
public struct TracedRequest: Sendable, Hashable {
    /// Method and address, redacted, for findings.
    public var name: String
    /// The address as it was sent, which may hold what must not be in one; empty if there are no addresses.
    public var address: Secret
    /// What two requests have in common only if they are the same, body and authorization included: a digest.
    public var identity: String
    /// Whether it may be sent again at will (RFC 9110, section 9.2.1).
    public var isSafe: Bool
    /// The trace that it carried in `traceparent`: the call that it was sent for.
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
