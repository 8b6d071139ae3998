package import LockstepHTTP
internal import Synchronization

/// A cache before a backend that looks at method and route only: it gives one user the response that another has got.
package final class SharedCache: HTTPTransport {
    /// How it treats requests.
    package enum Behavior: Sendable {
        /// The cache forwards all requests.
        case open
        /// The cache stores the responses.
        case keeping
        /// The cache returns its stored responses.
        case answering
    }

    private struct State {
        var behavior = Behavior.open
        var kept: [String: HTTPResponse] = [:]
    }

    private let base: any HTTPTransport
    private let state = Mutex(State())

    /// A cache before this way to the backend.
    package init(_ base: any HTTPTransport) { self.base = base }

    /// Changes its behavior from now on.
    package func turn(_ behavior: Behavior) { state.withLock { $0.behavior = behavior } }

    /// The response of the backend, or one that another user has got.
    package func send(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse {
        let name = "\(request.method) \(request.route)"
        let (behavior, kept) = state.withLock { ($0.behavior, $0.kept[name]) }
        if case .answering = behavior, let kept { return kept }
        let response = try await base.send(request)
        if case .keeping = behavior, response.isSuccess { state.withLock { $0.kept[name] = response } }
        return response
    }
}
