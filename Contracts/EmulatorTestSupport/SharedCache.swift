package import LockstepHTTP
internal import Synchronization

/// A faulty cache in front of a backend.
///
/// It compares only the method and the route. So a user can get the response for another user.
package final class SharedCache: HTTPTransport {
    /// The behavior of the cache.
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

    /// Creates a cache.
    ///
    /// - Parameter base: The transport to the backend.
    package init(_ base: any HTTPTransport) { self.base = base }

    /// Changes the behavior of the cache.
    package func turn(_ behavior: Behavior) { state.withLock { $0.behavior = behavior } }

    /// Returns the response of the backend, or a stored response for another user.
    ///
    /// - Throws: The failure of the base transport.
    package func send(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse {
        let name = "\(request.method) \(request.route)"
        let (behavior, kept) = state.withLock { ($0.behavior, $0.kept[name]) }
        if case .answering = behavior, let kept { return kept }
        let response = try await base.send(request)
        if case .keeping = behavior, response.isSuccess { state.withLock { $0.kept[name] = response } }
        return response
    }
}
