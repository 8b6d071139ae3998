internal import Synchronization

/// A gate that opens once.
///
/// Tasks wait until it is open.
final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var nextID = 0
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
        var cancelled: Set<Int> = []
    }

    private let state = Mutex(State())

    var isOpen: Bool { state.withLock { $0.isOpen } }

    func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [:] }
            return state.waiting.values
        }
        for wake in waiting { wake.resume() }
    }

    /// Waits until the gate is open, or until the task is cancelled.
    func wait() async {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        defer { _ = state.withLock { $0.cancelled.remove(id) } }
        await withTaskCancellationHandler {
            await withCheckedContinuation { wake in
                let goesOn = state.withLock { state in
                    if state.isOpen || state.cancelled.contains(id) { return true }
                    state.waiting[id] = wake
                    return false
                }
                if goesOn { wake.resume() }
            }
        } onCancel: {
            let wake = state.withLock { state in
                let wake = state.waiting.removeValue(forKey: id)
                if wake == nil { state.cancelled.insert(id) }
                return wake
            }
            wake?.resume()
        }
    }
}
