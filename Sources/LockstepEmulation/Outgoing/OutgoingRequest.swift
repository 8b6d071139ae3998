/// A request that an emulator itself makes: to a hook, to an identity provider.
public struct OutgoingRequest: Sendable, Hashable {
    /// The method.
    public var method: String
    /// A plain `http://` address on this machine.
    public var address: String
    /// Names and values; `Host` and `Content-Length` are added.
    public var headers: [String: String]
    /// The body.
    public var body: [UInt8]
    /// How long everything may take.
    public var deadline: Duration
    /// The event that it is about, by the provider's name; then it is one of the ``Deliveries``.
    public var event: String?
    /// Whether it only reports an event, so that a test may send it again.
    ///
    /// The response to any other call decides a request.
    public var isNotice = false
    /// The values that sign it if it is sent again.
    public var signing: WebhookSigning?
    /// How often the event was sent, with this request.
    var attempt = 1

    /// A request.
    public init(
        _ method: String, _ address: String, headers: [String: String] = [:], body: [UInt8] = [],
        deadline: Duration = .seconds(5), event: String? = nil, isNotice: Bool = false, signing: WebhookSigning? = nil
    ) {
        self.method = method
        self.address = address
        self.headers = headers
        self.body = body
        self.deadline = deadline
        self.event = event
        self.isNotice = isNotice
        self.signing = signing
    }

    /// Returns the request with a signature of now, and as a further attempt.
    func again(in environment: EmulationEnvironment) -> OutgoingRequest {
        var request = self
        request.attempt += 1
        guard let signing else { return request }
        request.headers.merge(signing.headers(of: body, at: environment.now, in: environment)) { $1 }
        return request
    }
}

/// The response to an outgoing request.
public struct OutgoingResponse: Sendable, Hashable {
    /// The status.
    public var status: Int
    /// The `Content-Type` as it was sent; empty if there was none.
    public var contentType: String
    /// The body.
    public var body: [UInt8]
}

/// Why there is no response.
public enum OutgoingError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The address is no plain `http://` one of this machine: emulators connect to no other.
    case notLocal
    /// A header has a sign that HTTP does not allow, such as a line end.
    case unsendable
    /// No server listens there, or the connection broke.
    case unreachable
    /// No whole response came in time.
    case timedOut
    /// The response is no HTTP, or more than a megabyte.
    case malformed

    /// The reason as a part of a sentence.
    public var description: String {
        switch self {
        case .notLocal: "this emulator asks http:// addresses of 127.0.0.1 and localhost only"
        case .unsendable: "a header of the request has a sign that HTTP does not allow"
        case .unreachable: "no server answers there"
        case .timedOut: "no whole answer came in time"
        case .malformed: "the answer is not HTTP, or longer than a megabyte"
        }
    }
}
