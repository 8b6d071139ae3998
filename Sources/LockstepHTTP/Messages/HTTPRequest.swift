public import LockstepPrimitives

/// One request: everything that a transport needs to send it.
public struct HTTPRequest: Sendable {
    /// The method.
    public var method: HTTPMethod
    /// The absolute address, `http` or `https`, percent-encoded where it must be.
    public var url: String
    /// Fields beside those that the transport and the body bring (`Host`, `Content-Length`, `Content-Type`).
    public var headers: HTTPHeaders
    /// The body.
    public var body: HTTPBody
    /// Secret texts in it that stand under no telling name; see ``RequestSecrets``.
    public var secrets: [Secret] = []
    /// How long the whole exchange may take, from the call to the last byte.
    public var deadline: Duration
    /// How long it may take until there is a connection, TLS included.
    public var connectDeadline: Duration
    /// How many bytes the answer's body may have; more is ``HTTPFailure/Code/tooLarge``.
    public var responseLimit: Int

    /// A request; `query` is appended to the address, encoded.
    public init(
        _ method: HTTPMethod,
        _ url: String,
        query: HTTPForm = [:],
        headers: HTTPHeaders = [:],
        body: HTTPBody = .none,
        deadline: Duration = .seconds(30),
        connectDeadline: Duration = .seconds(10),
        responseLimit: Int = 4 << 20
    ) {
        self.method = method
        self.url = query.isEmpty ? url : url + (url.contains("?") ? "&" : "?") + query.encoded
        self.headers = headers
        self.body = body
        self.deadline = deadline
        self.connectDeadline = connectDeadline
        self.responseLimit = responseLimit
    }

    /// Whether it has effects although its method says that it only reads, such as a GET that mails a code.
    public var hasEffects = false

    /// Whether a transport may send it again by itself: only a request that reads, never one that uses something up (a refresh
    /// token, a code) or sends a message.
    public var isSafeToRepeat: Bool { method.isSafe && !hasEffects }

    /// The header fields as they go out: ``headers``, and `Content-Type` of the body where the headers do not name one.
    public var fields: HTTPHeaders {
        guard let type = body.type, !headers.contains("Content-Type") else { return headers }
        var fields = headers
        fields.append("Content-Type", type)
        return fields
    }
}
