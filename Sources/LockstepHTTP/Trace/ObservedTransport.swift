internal import LockstepPrimitives

/// The transport of an adapter: reports each request to the call's observer, and adds the caller's trace.
///
/// Both come from the running task (`RequestObserver.current`, `TraceContext.current`); without them it only sends. Every adapter
/// puts it around the transport that it is given.
public struct ObservedTransport: HTTPTransport {
    private let base: any HTTPTransport

    /// Sends with `base`.
    public init(_ base: any HTTPTransport) {
        self.base = base
    }

    /// The thread of the transport underneath.
    public var executor: (any TaskExecutor)? { base.executor }

    /// Sends with the transport underneath, `traceparent` added where the caller has a trace.
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
