import LockstepHTTP
import LockstepPrimitives

/// A transport that returns one response or fails.
struct Answering: HTTPTransport {
    private let result: Result<HTTPResponse, HTTPFailure>

    init(_ response: HTTPResponse) {
        result = .success(response)
    }

    init(_ failure: HTTPFailure) {
        result = .failure(failure)
    }

    func send(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse { try result.get() }
}
