/// Sends an HTTP request and returns the response.
///
/// The contracts in `TransportContract` check that every transport does this:
///
/// - One call sends one request. The transport sends the request once, unless ``HTTPRequest/isSafeToRepeat`` is true.
/// - A redirect is returned as the response. The transport does not follow it.
/// - The call ends when the deadline of the request passes, or immediately when the calling task is cancelled.
/// - The transport checks the certificate of the server.
///
/// ```swift
/// let transport: any HTTPTransport = CurlTransport()
/// let response = try await transport.send(HTTPRequest(.get, "https://api.example.com/health"))
/// print(response.status)
/// ```
public protocol HTTPTransport: Sendable {
    /// Sends a request and waits for the complete response, whatever its status is.
    ///
    /// - Throws: ``HTTPFailure`` if there is no complete response. Its phase says whether the server may have received the
    ///   request.
    func send(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse

    /// The executor on which the transport works; `nil` if callers cannot run on it.
    ///
    /// A task that sends several requests in a row is faster on this executor, because it does not switch threads:
    /// `withTaskExecutorPreference(transport.executor) { … }`. Code that runs here must be short and must not block.
    var executor: (any TaskExecutor)? { get }
}

extension HTTPTransport {
    /// Default: `nil`, because callers cannot run on the transport's executor.
    public var executor: (any TaskExecutor)? { nil }
}
