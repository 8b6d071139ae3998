public import LockstepHTTP
internal import Synchronization

/// A transport that returns the responses of a list in order, and records the requests.
///
/// ```swift
/// let transport = Playback(HTTPResponse(status: 204), HTTPResponse(status: 503))
/// let response = try await transport.send(HTTPRequest(.get, "https://api.example.com/health"))
/// print(response.status, transport.requests.count)
/// ```
public final class Playback: HTTPTransport {
    private struct State {
        var answers: [Result<HTTPResponse, HTTPFailure>]
        var requests: [HTTPRequest] = []
    }

    private let state: Mutex<State>

    /// Creates a transport that returns each of these responses once.
    public convenience init(_ answers: HTTPResponse...) { self.init(answers) }

    /// Creates a transport that returns each of these responses once.
    public init(_ answers: [HTTPResponse]) {
        state = Mutex(State(answers: answers.map { .success($0) }))
    }

    /// Creates a transport whose first request fails.
    public init(failing failure: HTTPFailure) {
        state = Mutex(State(answers: [.failure(failure)]))
    }

    /// The requests to this transport, in order.
    public var requests: [HTTPRequest] { state.withLock { $0.requests } }

    /// Records a request, and returns the next response of the list.
    ///
    /// - Throws: The next failure in the list, or a failure with the code `other` if the list is empty.
    public func send(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse {
        let response: Result<HTTPResponse, HTTPFailure> = state.withLock { state in
            state.requests.append(request)
            guard !state.answers.isEmpty else {
                return .failure(HTTPFailure(.other, .neverSent, "The test has no more responses."))
            }
            return state.answers.removeFirst()
        }
        return try response.get()
    }
}
