internal import Synchronization

/// A limit for the number of tasks that work at the same time.
///
/// A test runner starts all cases at the same time, but each check needs a processor.
package final class AsyncSemaphore: Sendable {
    private struct State {
        var free: Int
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Mutex<State>

    /// Creates a semaphore.
    ///
    /// - Parameter width: The number of tasks that may work at the same time.
    package init(width: Int) {
        state = Mutex(State(free: width))
    }

    /// Waits until the number of working tasks is below the limit, and then runs a closure.
    ///
    /// - Throws: The error that `body` throws.
    package func pass<Result>(_ body: () async throws -> Result) async rethrows -> Result {
        await enter()
        defer { leave() }
        return try await body()
    }

    private func enter() async {
        await withCheckedContinuation { (turn: CheckedContinuation<Void, Never>) in
            let mayPass = state.withLock { state in
                guard state.free > 0 else {
                    state.waiting.append(turn)
                    return false
                }
                state.free -= 1
                return true
            }
            if mayPass { turn.resume() }
        }
    }

    private func leave() {
        let next = state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.free += 1
                return nil as CheckedContinuation<Void, Never>?
            }
            return state.waiting.removeFirst()
        }
        next?.resume()
    }
}
