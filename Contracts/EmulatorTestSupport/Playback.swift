public import LockstepHTTP
internal import Synchronization

/// Answers requests in order from a list, and keeps what was sent.
public final class Playback: HTTPTransport {
    private struct State {
        var answers: [Result<HTTPResponse, HTTPFailure>]
        var requests: [HTTPRequest] = []
    }

    private let state: Mutex<State>

    /// These answers, each once.
    public convenience init(_ answers: HTTPResponse...) { self.init(answers) }

    /// These answers, each once.
    public init(_ answers: [HTTPResponse]) {
        state = Mutex(State(answers: answers.map { .success($0) }))
    }

    /// A network that fails once.
    public init(failing failure: HTTPFailure) {
        state = Mutex(State(answers: [.failure(failure)]))
    }

    /// What was sent, in order.
    public var requests: [HTTPRequest] { state.withLock { $0.requests } }

    /// The next response.
    ///
    /// - Throws: a failure unlike any of the network's where there is none left.
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
