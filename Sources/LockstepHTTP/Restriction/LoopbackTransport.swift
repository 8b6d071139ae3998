/// A transport that sends requests to this machine only.
///
/// Use this transport in tests and during development, so that no real account is changed by mistake.
///
/// ```swift
/// let local = CurlTransport().loopbackOnly
/// let response = try await local.send(HTTPRequest(.get, "http://127.0.0.1:9099/"))
/// ```
public struct LoopbackTransport: HTTPTransport {
    private let base: any HTTPTransport

    /// Creates a transport that sends requests to this machine only.
    public init(_ base: any HTTPTransport) {
        self.base = base
    }

    /// The executor of the base transport.
    public var executor: (any TaskExecutor)? { base.executor }

    /// Sends a request if its host is a loopback address.
    ///
    /// - Returns: The response.
    /// - Throws: ``HTTPFailure/Code/notLoopback`` for any other host. In that case, no name was resolved, and no connection was
    ///   made. Otherwise the failure of the base transport.
    public func send(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse {
        try request.validate()
        guard request.isLoopback else {
            throw HTTPFailure(
                .notLoopback, .neverSent,
                "This transport can reach only 127.0.0.0/8, ::1 and localhost. Use another transport for other hosts.")
        }
        return try await base.send(request)
    }
}

extension HTTPTransport {
    /// This transport, limited to requests to this machine.
    public var loopbackOnly: LoopbackTransport { LoopbackTransport(self) }
}
