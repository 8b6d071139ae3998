import LockstepHTTP
import LockstepPrimitives
import Synchronization

/// Answers requests in order from a list, and keeps what was sent.
final class Playback: HTTPTransport {
    private struct State {
        var answers: [Result<HTTPResponse, HTTPFailure>]
        var requests: [HTTPRequest] = []
    }

    private let state: Mutex<State>

    init(_ answers: HTTPResponse...) {
        state = Mutex(State(answers: answers.map { .success($0) }))
    }

    init(_ answers: [HTTPResponse]) {
        state = Mutex(State(answers: answers.map { .success($0) }))
    }

    init(failing failure: HTTPFailure) {
        state = Mutex(State(answers: [.failure(failure)]))
    }

    var requests: [HTTPRequest] { state.withLock { $0.requests } }

    func send(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse {
        let answer: Result<HTTPResponse, HTTPFailure> = state.withLock { state in
            state.requests.append(request)
            guard !state.answers.isEmpty else {
                return .failure(HTTPFailure(.other, .neverSent, "The test has no answer left."))
            }
            return state.answers.removeFirst()
        }
        return try answer.get()
    }
}

extension HTTPResponse {
    static func json(_ status: Int, _ body: JSON, date: String = "Thu, 01 Jan 2026 00:00:00 GMT", wait: String? = nil)
        -> HTTPResponse
    {
        var headers: HTTPHeaders = ["Date": date, "Authorization": "client-2"]
        if let wait { headers["Retry-After"] = wait }
        return HTTPResponse(status: status, headers: headers, body: body.bytes())
    }

    static func json(_ body: JSON) -> HTTPResponse { json(200, body) }
}

extension HTTPRequest {
    /// What comes after the API's address, without what every request has.
    var path: String { String(url.dropFirst(Clerk.url.count)).replacing("?_is_native=true", with: "") }
    /// The body, where it is a form.
    var form: String { String(decoding: body.bytes, as: UTF8.self) }
}
