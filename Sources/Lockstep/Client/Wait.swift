internal import LockstepPrimitives
internal import Synchronization

/// A wait for one value.
///
/// It ends with the value, at the time limit, or when the caller is cancelled.
///
/// Work that ignores its cancellation does not delay the caller.
private final class Wait<Value: Sendable>: Sendable {
    private struct State {
        var end: WaitEnd<Value>?
        var waiter: CheckedContinuation<WaitEnd<Value>, Never>?
    }

    private let state = Mutex(State())

    /// - Returns: Whether this call ended the wait.
    func end(_ end: WaitEnd<Value>) -> Bool {
        let (isFirst, waiter) = state.withLock { state in
            guard state.end == nil else { return (false, nil as CheckedContinuation<WaitEnd<Value>, Never>?) }
            state.end = end
            defer { state.waiter = nil }
            return (true, state.waiter)
        }
        waiter?.resume(returning: end)
        return isFirst
    }

    func value() async -> WaitEnd<Value> {
        await withCheckedContinuation { waiter in
            let end = state.withLock { state in
                if state.end == nil { state.waiter = waiter }
                return state.end
            }
            if let end { waiter.resume(returning: end) }
        }
    }
}

/// The end of a wait.
enum WaitEnd<Value: Sendable>: Sendable {
    case value(Value)
    case timeIsOver
    case cancelled
}

/// The deadline of the call that this task works for, as uptime of the clock; `nil` for background work.
enum CallDeadline {
    @TaskLocal static var uptime: Duration?

    /// Returns the time for one wait: at most `limit`, and at least `least`.
    ///
    /// The minimum leaves some time for cleanup at the end of a call.
    static func left(of limit: Duration, atLeast least: Duration = .zero, on clock: any DeviceClock) -> Duration {
        guard let uptime else { return limit }
        return max(min(limit, uptime - clock.uptime), least)
    }
}

extension DeviceClock {
    /// Returns the result of `work` if it ends within `limit`.
    ///
    /// The caller continues when the time is over or the caller's task is cancelled, even if the work has not ended.
    /// The work is then cancelled.
    ///
    /// - `executor`: The executor on which the work runs best.
    /// - `isShielded`: Whether the work continues, and the caller waits for it, even if the caller is cancelled. Such
    ///   work is short, and must not stop halfway.
    /// - `late`: Handles a value that comes after the caller has continued.
    func wait<Value: Sendable>(
        atMost limit: Duration, on executor: (any TaskExecutor)? = nil, isShielded: Bool = false,
        late: @escaping @Sendable (Value) async -> Void = { _ in },
        for work: @escaping @Sendable () async -> Value
    ) async -> WaitEnd<Value> {
        guard isShielded || !Task.isCancelled else { return .cancelled }
        let wait = Wait<Value>()
        let worker = Task(executorPreference: executor) {
            let value = await work()
            // The caller has already continued, so `late` handles the value.
            if !wait.end(.value(value)) { Task { await late(value) } }
        }
        let timer = Task {
            do { try await self.sleep(for: limit) } catch { return }
            if wait.end(.timeIsOver), !isShielded { worker.cancel() }
        }
        defer { timer.cancel() }
        if isShielded { return await escalating(worker) { await wait.value() } }
        return await withTaskCancellationHandler {
            await escalating(worker) { await wait.value() }
        } onCancel: {
            if wait.end(.cancelled) { worker.cancel() }
        }
    }

    /// Waits, and passes priority escalations of the waiting task on to the work.
    ///
    /// The runtime does not know which task a continuation waits for.
    private func escalating<Value: Sendable>(
        _ worker: Task<Void, Never>, _ waiting: @Sendable () async -> WaitEnd<Value>
    ) async -> WaitEnd<Value> {
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return await waiting() }
        return await withTaskPriorityEscalationHandler {
            await waiting()
        } onPriorityEscalated: { _, priority in
            worker.raise(to: priority)
        }
    }
}

/// Work that many tasks can request at the same time.
///
/// The work runs once, and all tasks get its result. A task that requests the work after its end starts it again. If a
/// waiting task is cancelled, it stops waiting, and the work continues for the others. The work runs at the highest
/// priority of the waiting tasks.
final class Shared<Result: Sendable>: Sendable {
    private struct State {
        var isRunning = false
        /// The number of runs.
        var number = 0
        /// The running work; `nil` for the short time until the task is known.
        var run: Task<Void, Never>?
        /// The highest priority of any waiting task.
        var urgency = TaskPriority.background
        var nextTicket = 0
        var waiters: [Int: CheckedContinuation<Result?, Never>] = [:]
        var cancelled: Set<Int> = []
    }

    private let state = Mutex(State())

    /// Returns the result of the run in progress, or of a new run; `nil` if the caller's task is cancelled.
    func result(of work: @escaping @Sendable () async -> Result) async -> Result? {
        let ticket = state.withLock { state in
            state.nextTicket += 1
            return state.nextTicket
        }
        let result: Result? = await escalating {
            await self.wait(ticket, work)
        }
        // Removes the ticket of a cancellation that came after the result.
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
            // The run may have ended by now, and another may have begun.
            if state.isRunning, state.number == number { state.run = run }
            return state.urgency
        }
        if urgency > Task.currentPriority { run.raise(to: urgency) }
    }

    // MARK: Priority

    /// Waits, and passes priority escalations of the waiting task on to the work.
    private func escalating(_ waiting: @Sendable () async -> Result?) async -> Result? {
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return await waiting() }
        return await withTaskPriorityEscalationHandler {
            await waiting()
        } onPriorityEscalated: { _, priority in
            self.escalate(to: priority)
        }
    }

    /// Raises the priority of the work, because the runtime does not know which task a continuation waits for.
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
    /// Raises the priority at which the task runs, if `priority` is higher.
    func raise(to priority: TaskPriority) {
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
            escalatePriority(to: priority)
        } else {
            // A task that awaits another raises it to its own priority.
            Task(priority: priority) { await self.value }
        }
    }
}
