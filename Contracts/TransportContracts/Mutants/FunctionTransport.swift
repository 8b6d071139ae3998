import LockstepHTTP

/// A transport that calls a function for each request.
struct FunctionTransport: HTTPTransport {
    private let function: @Sendable (HTTPRequest) async throws(HTTPFailure) -> HTTPResponse

    init(_ function: @escaping @Sendable (HTTPRequest) async throws(HTTPFailure) -> HTTPResponse) {
        self.function = function
    }

    func send(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse {
        try await function(request)
    }
}
