/// Carries one HTTP request to its server and its answer back.
///
/// The requirements for every transport are promises that can be run: `TransportContract`. In short: one call sends one request,
/// at most once unless ``HTTPRequest/isSafeToRepeat``; redirects are answers; the call ends by the request's deadline, and at
/// once when its task is cancelled; certificates are checked.
public protocol HTTPTransport: Sendable {
    /// Sends the request and waits for the whole answer, of any status.
    ///
    /// - Throws: ``HTTPFailure`` when there is no whole answer; its phase says whether the server may have seen the request.
    func send(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse

    /// The thread that the transport runs on, where it allows callers to run there too.
    ///
    /// A task that sends several requests in a row saves a change of threads with each of them when it runs here:
    /// `withTaskExecutorPreference(transport.executor) { … }`. What runs here must not block, and should be short.
    var executor: (any TaskExecutor)? { get }
}

extension HTTPTransport {
    /// None.
    public var executor: (any TaskExecutor)? { nil }
}
