internal import Synchronization

/// One piece of work that any number of tasks can ask for at once: it runs once, all get its result, and the next one to ask
/// after it has ended starts it anew.
///
/// A waiting task that is cancelled stops waiting; the work goes on for the others, at the highest priority of those who wait.
final class Shared<Result: Sendable>: Sendable {
    private struct State {
        var isRunning = false
        /// Counts the runs.
        var number = 0
        /// The running work; `nil` for the moment before it is known.
        var run: Task<Void, Never>?
        /// The highest priority of any waiting task.
        var urgency = TaskPriority.background
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
        let result: Result? = await escalating {
            await self.wait(ticket, work)
        }
        // A cancellation that came after the result has left its ticket behind.
        _ = state.withLock { $0.cancelled.remove(ticket) }
        return result
    }

    private func wait(_ ticket: Int, _ work: @escaping @Sendable () async -> Result) async -> Result? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { (waiter: CheckedContinuation<Result?, Never>) in
                let (isCancelled, starts) = state.withLock { state in
                    if state.cancelled.remove(ticket) != nil { return (true, false) }
                    state.waiters[ticket] = waiter
                    guard !state.isRunning else { return (false, false) }
                    state.isRunning = true
                    state.number += 1
                    state.urgency = Task.currentPriority
                    return (false, true)
                }
                if isCancelled { waiter.resume(returning: nil) }
                if starts { self.start(work) }
                self.escalate(to: Task.currentPriority)
            }
        } onCancel: {
            let waiter = state.withLock { state in
                let waiter = state.waiters.removeValue(forKey: ticket)
                if waiter == nil { state.cancelled.insert(ticket) }
                return waiter
            }
            waiter?.resume(returning: nil)
        }
    }

    private func start(_ work: @escaping @Sendable () async -> Result) {
        let number = state.withLock { $0.number }
        let run = Task { self.finish(await work()) }
        let urgency = state.withLock { state in
            // It may have ended by now, and another one may have begun.
            if state.isRunning, state.number == number { state.run = run }
            return state.urgency
        }
        if urgency > Task.currentPriority { run.raise(to: urgency) }
    }

    // MARK: Priority

    /// Waits, and passes on priority escalations of the waiting task.
    private func escalating(_ waiting: @Sendable () async -> Result?) async -> Result? {
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return await waiting() }
        return await withTaskPriorityEscalationHandler {
            await waiting()
        } onPriorityEscalated: { _, priority in
            self.escalate(to: priority)
        }
    }

    /// A continuation does not tell the runtime which task waits for which.
    private func escalate(to priority: TaskPriority) {
        let run: Task<Void, Never>? = state.withLock { state in
            guard state.isRunning, priority > state.urgency else { return nil }
            state.urgency = priority
            return state.run
        }
        run?.raise(to: priority)
    }

    private func finish(_ result: Result) {
        let waiters = state.withLock { state in
            state.isRunning = false
            state.run = nil
            state.urgency = .background
            defer { state.waiters = [:] }
            return state.waiters
        }
        for waiter in waiters.values { waiter.resume(returning: result) }
    }
}

extension Task<Void, Never> {
    /// Has the task run at this priority, if it is higher than its own.
    func raise(to priority: TaskPriority) {
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
            escalatePriority(to: priority)
        } else {
            // A task that awaits another raises it to its own priority.
            Task(priority: priority) { await self.value }
        }
    }
}
