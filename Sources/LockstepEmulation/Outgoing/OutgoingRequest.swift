/// A request that an emulator sends to a hook or to an identity provider.
public struct OutgoingRequest: Sendable, Hashable {
    /// The method, such as `POST`.
    public var method: String
    /// The URL, which begins with `http://` and names this machine.
    public var address: String
    /// The names and values of the headers, without `Host` and `Content-Length`, which the client adds.
    public var headers: [String: String]
    /// The bytes of the body.
    public var body: [UInt8]
    /// The time limit for the whole request.
    public var deadline: Duration
    /// The provider's name for the event that the request reports; `nil` if the request is not about an event.
    ///
    /// A request about an event is listed in ``Deliveries``.
    public var event: String?
    /// Whether the request only reports an event.
    ///
    /// If `true`, a test can send the request again. If `false`, the response affects what the emulator does.
    public var isNotice = false
    /// The values that the emulator needs to sign the request if it sends the request again.
    public var signing: WebhookSigning?
    /// How often the event was sent, including this request.
    var attempt = 1

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - method: The method, such as `POST`.
    ///   - address: The URL, which begins with `http://` and names this machine.
    ///   - headers: The names and values of the headers. Default: none.
    ///   - body: The bytes of the body. Default: none.
    ///   - deadline: The time limit for the whole request. Default: 5 seconds.
    ///   - event: The provider's name for the event that the request reports; `nil` if the request is not about an event.
    ///   - isNotice: Whether the request only reports an event. Default: `false`.
    ///   - signing: The values that the emulator needs to sign the request if it sends the request again.
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

    /// Returns the request with a new signature, as one more attempt.
    func again(in environment: EmulationEnvironment) -> OutgoingRequest {
        var request = self
        request.attempt += 1
        guard let signing else { return request }
        request.headers.merge(signing.headers(of: body, at: environment.now, in: environment)) { $1 }
        return request
    }
}

/// The response to a request that an emulator has sent.
public struct OutgoingResponse: Sendable, Hashable {
    /// The status code.
    public var status: Int
    /// The `Content-Type` as it was sent; empty if the header is missing.
    public var contentType: String
    /// The `Location` as it was sent; empty if the header is missing.
    public var location = ""
    /// The bytes of the body.
    public var body: [UInt8]
}

/// The reason why a request of an emulator got no response.
public enum OutgoingError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The URL does not begin with `http://`, or does not name this machine.
    ///
    /// Emulators connect to no other address.
    case notLocal
    /// A header contains a character that HTTP does not allow, such as a line break.
    case unsendable
    /// No server is listening at the address, or the connection was lost.
    case unreachable
    /// No complete response arrived before the deadline.
    case timedOut
    /// The response is not HTTP, or is larger than a megabyte.
    case malformed

    /// The reason, as a part of a sentence.
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
