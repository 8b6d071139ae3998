import LockstepHTTP
import Synchronization

/// A fault that returns the previous response to a request that ends while others are in progress.
final class ResponseSwapper: Sendable {
    private struct State {
        var underWay = 0
        var last: HTTPResponse?
    }

    private let state = Mutex(State())

    func begin() {
        state.withLock { $0.underWay += 1 }
    }

    func giveUp() {
        state.withLock { $0.underWay -= 1 }
    }

    func end(with response: HTTPResponse) -> HTTPResponse {
        state.withLock { state in
            state.underWay -= 1
            defer { state.last = response }
            guard state.underWay > 1, let last = state.last else { return response }
            return last
        }
    }
}
