internal import Synchronization

/// One piece of work that any number of tasks can ask for at once: it runs once, all get its result, and the next one to ask
/// after it has ended starts it anew.
///
/// Whoever waits and is cancelled stops waiting; the work goes on for the others.
final class Shared<Result: Sendable>: Sendable {
    private struct State {
        var isRunning = false
        var nextTicket = 0
        var waiters: [Int: CheckedContinuation<Result?, Never>] = [:]
        var cancelled: Set<Int> = []
    }

    private let state = Mutex(State())

    /// The result of the run in progress, or of one that starts now; `nil` when the caller's task is cancelled.
    func result(of work: @escaping @Sendable () async -> Result) async -> Result? {
        let ticket = state.withLock { state in
            state.nextTicket += 1
            return state.nextTicket
        }
        let result: Result? = await withTaskCancellationHandler {
            await withCheckedContinuation { (waiter: CheckedContinuation<Result?, Never>) in
                let (isCancelled, starts) = state.withLock { state in
                    if state.cancelled.remove(ticket) != nil { return (true, false) }
                    state.waiters[ticket] = waiter
                    defer { state.isRunning = true }
                    return (false, !state.isRunning)
                }
                if isCancelled { waiter.resume(returning: nil) }
                if starts { Task { self.finish(await work()) } }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                let waiter = state.waiters.removeValue(forKey: ticket)
                if waiter == nil { state.cancelled.insert(ticket) }
                return waiter
            }
            waiter?.resume(returning: nil)
        }
        // A cancellation that came after the result has left its ticket behind.
        _ = state.withLock { $0.cancelled.remove(ticket) }
        return result
    }

    private func finish(_ result: Result) {
        let waiters = state.withLock { state in
            state.isRunning = false
            defer { state.waiters = [:] }
            return state.waiters
        }
        for waiter in waiters.values { waiter.resume(returning: result) }
    }
}
