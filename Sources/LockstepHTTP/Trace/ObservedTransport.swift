internal import LockstepPrimitives

/// The transport through which every adapter sends its requests.
///
/// The transport reports each request to the observer of the current call, and adds the caller's trace to the headers. Both come
/// from the running task (`RequestObserver.current` and `TraceContext.current`). If the task has neither an observer nor a trace,
/// this transport only sends the request.
public struct ObservedTransport: HTTPTransport {
    private let base: any HTTPTransport

    /// Creates an observed transport.
    ///
    /// - Parameter base: The transport that sends the requests.
    public init(_ base: any HTTPTransport) {
        self.base = base
    }

    /// The executor of the base transport.
    public var executor: (any TaskExecutor)? { base.executor }

    /// Sends a request with the base transport.
    ///
    /// If the caller has a trace, this method adds the header `traceparent`.
    ///
    /// - Returns: The response.
    /// - Throws: The failure of the base transport.
    public func send(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse {
        var request = request
        if let trace = TraceContext.current { request.headers["traceparent"] = trace.traceparent }
        guard let observer = RequestObserver.current else { return try await base.send(request) }
        let ended = observer.began(request.method.rawValue, request.route)
        do throws(HTTPFailure) {
            let response = try await base.send(request)
            ended(.answered(status: response.status, bytes: response.body.count))
            return response
        } catch {
            ended(.failed(error.code.rawValue))
            throw error
        }
    }
}
