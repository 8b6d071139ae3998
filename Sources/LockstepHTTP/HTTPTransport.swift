/// Sends an HTTP request and returns its response.
///
/// The requirements for every transport are contracts that tests run: `TransportContract`. In short:
/// - One call sends one request. It is sent at most once unless ``HTTPRequest/isSafeToRepeat`` is true.
/// - A redirect is a response; it is not followed.
/// - The call ends at the request's deadline, and immediately when its task is cancelled.
/// - Certificates are checked.
///
/// ```swift
/// let transport: any HTTPTransport = CurlTransport()
/// let response = try await transport.send(HTTPRequest(.get, "https://api.example.com/health"))
/// print(response.status)
/// ```
public protocol HTTPTransport: Sendable {
    /// Sends a request and waits for the complete response, whatever its status.
    ///
    /// - Parameter request: The request.
    /// - Returns: The response.
    /// - Throws: ``HTTPFailure`` if there is no complete response. Its phase says whether the server may have received
    ///   the request.
    func send(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse

    /// The executor of the transport, if callers may run on it.
    ///
    /// A task that sends several requests in a row runs faster here, because it does not switch threads:
    /// `withTaskExecutorPreference(transport.executor) { … }`. Code that runs here must be short and must not block.
    var executor: (any TaskExecutor)? { get }
}

extension HTTPTransport {
    /// Default: `nil`.
    public var executor: (any TaskExecutor)? { nil }
}
