public import LockstepHTTP
internal import Synchronization

/// A transport that returns the responses of a list in order, and records the requests.
public final class Playback: HTTPTransport {
    private struct State {
        var answers: [Result<HTTPResponse, HTTPFailure>]
        var requests: [HTTPRequest] = []
    }

    private let state: Mutex<State>

    /// Creates a transport with these responses, each used once.
    public convenience init(_ answers: HTTPResponse...) { self.init(answers) }

    /// Creates a transport with these responses, each used once.
    public init(_ answers: [HTTPResponse]) {
        state = Mutex(State(answers: answers.map { .success($0) }))
    }

    /// Creates a transport that fails once.
    public init(failing failure: HTTPFailure) {
        state = Mutex(State(answers: [.failure(failure)]))
    }

    /// The requests that were sent, in order.
    public var requests: [HTTPRequest] { state.withLock { $0.requests } }

    /// Returns the next response.
    ///
    /// - Throws: A failure that no network causes, if no response is left.
    public func send(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse {
        let response: Result<HTTPResponse, HTTPFailure> = state.withLock { state in
            state.requests.append(request)
            guard !state.answers.isEmpty else {
                return .failure(HTTPFailure(.other, .neverSent, "The test has no answer left."))
            }
            return state.answers.removeFirst()
        }
        return try response.get()
    }
}
