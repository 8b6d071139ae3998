public import LockstepPrimitives

/// An HTTP request with everything that a transport needs to send it.
///
/// ```swift
/// var request = HTTPRequest(.post, "https://api.example.com/orders", body: .json(["item": "tea"]))
/// request.headers.set("X-Request-Token", secret: "not shown in traces")
/// request.deadline = .seconds(5)
/// ```
public struct HTTPRequest: Sendable {
    /// The method.
    public var method: HTTPMethod
    /// The absolute URL, `http` or `https`, percent-encoded.
    public var url: String
    /// Further header fields.
    ///
    /// The transport and the body add `Host`, `Content-Length` and `Content-Type`.
    public var headers: HTTPHeaders
    /// The body.
    public var body: HTTPBody
    /// Secrets in the request that are not under the name of a secret; see ``RequestSecrets``.
    public var secrets: [Secret] = []
    /// The time limit for the whole exchange, from the call to the last byte.
    public var deadline: Duration
    /// The time limit for the connection, including TLS.
    public var connectDeadline: Duration
    /// The maximum size of the response body in bytes.
    ///
    /// A longer body fails with ``HTTPFailure/Code/tooLarge``.
    public var responseLimit: Int

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - url: The absolute URL.
    ///   - query: Pairs that are encoded and appended to the URL.
    ///   - headers: Further header fields.
    ///   - body: The body. Default: none.
    ///   - deadline: The time limit for the whole exchange. Default: 30 seconds.
    ///   - connectDeadline: The time limit for the connection. Default: 10 seconds.
    ///   - responseLimit: The maximum size of the response body in bytes. Default: 4 MiB.
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

    /// Whether the request has effects although its method only reads, such as a GET that sends a code by email.
    public var hasEffects = false

    /// Whether a transport may send the request again on its own.
    ///
    /// Only a request that reads may be repeated. A request that uses up a refresh token or a code, or that sends a
    /// message, must not be.
    public var isSafeToRepeat: Bool { method.isSafe && !hasEffects }

    /// The header fields that are sent: ``headers``, and the body's `Content-Type` unless the headers set it.
    public var fields: HTTPHeaders {
        guard let type = body.type, !headers.contains("Content-Type") else { return headers }
        var fields = headers
        fields.append("Content-Type", type)
        return fields
    }
}
