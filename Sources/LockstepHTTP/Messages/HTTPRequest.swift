public import LockstepPrimitives

/// An HTTP request with everything that a transport needs to send it.
///
/// ```swift
/// var request = HTTPRequest(.post, "https://api.example.com/orders", body: .json(["item": "tea"]))
/// request.headers.set("X-Request-Token", secret: "not shown in traces")
/// request.deadline = .seconds(5)
/// ```
public struct HTTPRequest: Sendable {
    /// The request method.
    public var method: HTTPMethod
    /// The absolute URL, which begins with `http` or `https` and is percent-encoded.
    public var url: String
    /// The header fields to send, without `Host`, `Content-Length` and `Content-Type`.
    ///
    /// The transport adds `Host` and `Content-Length`, and ``body`` adds the content type.
    public var headers: HTTPHeaders
    /// The body of the request.
    public var body: HTTPBody
    /// Secrets in the request that cannot be recognized by their names.
    ///
    /// These secrets are masked, too; see ``RequestSecrets``.
    public var secrets: [Secret] = []
    /// The time limit from the call to the last byte of the response.
    public var deadline: Duration
    /// The time limit for making the connection, including TLS.
    public var connectDeadline: Duration
    /// The maximum size of the response body in bytes.
    ///
    /// If the body is longer, the request fails with ``HTTPFailure/Code/tooLarge``.
    public var responseLimit: Int

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - url: The absolute URL.
    ///   - query: The pairs to append to the URL as a query.
    ///   - headers: The header fields to send, without `Host`, `Content-Length` and `Content-Type`.
    ///   - body: The body of the request. Default: none.
    ///   - deadline: The time limit from the call to the last byte of the response. Default: 30 seconds.
    ///   - connectDeadline: The time limit for making the connection. Default: 10 seconds.
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
        self.url = query.isEmpty ? url : url + (url.contains(bytesOf: "?") ? "&" : "?") + query.encoded
        self.headers = headers
        self.body = body
        self.deadline = deadline
        self.connectDeadline = connectDeadline
        self.responseLimit = responseLimit
    }

    /// Whether the request changes something although its method only reads.
    ///
    /// An example is a GET that sends a code by email.
    public var hasEffects = false

    /// Whether a transport may repeat the request automatically.
    ///
    /// The transport may repeat only a request that reads. A transport must not repeat a request that uses up a refresh token or a code,
    /// or sends a message.
    public var isSafeToRepeat: Bool { method.isSafe && !hasEffects }

    /// All header fields that are sent.
    ///
    /// Contains ``headers``, and the `Content-Type` of the body unless the headers set a content type.
    public var fields: HTTPHeaders {
        guard let type = body.type, !headers.contains("Content-Type") else { return headers }
        var fields = headers
        fields.append("Content-Type", type)
        return fields
    }
}
