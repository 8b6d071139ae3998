internal import LockstepPrimitives
internal import Synchronization

/// The ids that a request makes: every run of its handler gets the same ones, as a hook may have received them already.
final class IDSequence: Sendable {
    private struct State {
        var ids: [String] = []
        var next = 0
    }

    private let state = Mutex(State())

    /// Restarts with the first one.
    func rewind() {
        state.withLock { $0.next = 0 }
    }

    func next(_ randomness: any Randomness) -> String {
        state.withLock { state in
            if state.next == state.ids.count { state.ids.append(randomness.uuid()) }
            state.next += 1
            return state.ids[state.next - 1]
        }
    }
}
