/// A request that an emulator sends, to a hook or an identity provider.
public struct OutgoingRequest: Sendable, Hashable {
    /// The method.
    public var method: String
    /// A plain `http://` address on this machine.
    public var address: String
    /// Names and values; `Host` and `Content-Length` are added.
    public var headers: [String: String]
    /// The body.
    public var body: [UInt8]
    /// The maximum duration of the whole request.
    public var deadline: Duration
    /// The provider's name of the event, if any.
    ///
    /// A request about an event is listed in ``Deliveries``.
    public var event: String?
    /// Whether the request only reports an event, so that a test may send it again.
    ///
    /// The response to any other call affects the outcome of a request.
    public var isNotice = false
    /// The values that sign it if it is sent again.
    public var signing: WebhookSigning?
    /// How often the event was sent, with this request.
    var attempt = 1

    /// Creates a request.
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
    /// The `Location` as it was sent; empty if there was none.
    public var location = ""
    /// The body.
    public var body: [UInt8]
}

/// An error of an outgoing request.
public enum OutgoingError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The address is not a plain `http://` address on this machine. Emulators connect to no other.
    case notLocal
    /// A header contains a character that HTTP does not allow, such as a line break.
    case unsendable
    /// No server is listening at the address, or the connection was lost.
    case unreachable
    /// No complete response arrived in time.
    case timedOut
    /// The response is not HTTP, or is larger than a megabyte.
    case malformed

    /// The reason as a part of a sentence.
    public var description: String {
        switch self {
        case .notLocal: "this emulator sends requests only to http:// addresses of 127.0.0.1 and localhost"
        case .unsendable: "a header of the request contains a character that HTTP does not allow"
        case .unreachable: "no server responds there"
        case .timedOut: "no complete response arrived in time"
        case .malformed: "the response is not HTTP, or is longer than a megabyte"
        }
    }
}
