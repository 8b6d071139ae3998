internal import LockstepPrimitives
internal import Synchronization

/// One wait for one value, which ends by the first of three: the value, the time, or the caller's cancellation.
///
/// Nothing else is awaited: work that ignores its cancellation delays no caller.
private final class Wait<Value: Sendable>: Sendable {
    private struct State {
        var end: WaitEnd<Value>?
        var waiter: CheckedContinuation<WaitEnd<Value>, Never>?
    }

    private let state = Mutex(State())

    /// - Returns: whether the wait was still on.
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

/// How a wait ended.
enum WaitEnd<Value: Sendable>: Sendable {
    case value(Value)
    case timeIsOver
    case cancelled
}

/// The deadline of the call that this task works for, by the clock's uptime; `nil` for work that no call waits for.
enum CallDeadline {
    @TaskLocal static var uptime: Duration?

    /// The time for one wait: never more than `limit`, and never less than `least`, so that cleaning up at the end of a call is
    /// not given up at once.
    static func left(of limit: Duration, atLeast least: Duration = .zero, on clock: any DeviceClock) -> Duration {
        guard let uptime else { return limit }
        return max(min(limit, uptime - clock.uptime), least)
    }
}

extension DeviceClock {
    /// The result of `work` within `limit`.
    ///
    /// The caller continues as soon as the time is over, or its task is cancelled, even where the work does not end; the work is
    /// cancelled then.
    ///
    /// - Parameters:
    ///   - executor: where the work runs best.
    ///   - isShielded: whether the work continues, and is waited for, also where the caller is cancelled, because it is short and
    ///     must not be left half done.
    ///   - late: takes a value that comes after the caller has gone on.
    func wait<Value: Sendable>(
        atMost limit: Duration, on executor: (any TaskExecutor)? = nil, isShielded: Bool = false,
        late: @escaping @Sendable (Value) async -> Void = { _ in },
        for work: @escaping @Sendable () async -> Value
    ) async -> WaitEnd<Value> {
        guard isShielded || !Task.isCancelled else { return .cancelled }
        let wait = Wait<Value>()
        let worker = Task(executorPreference: executor) {
            let value = await work()
            // The caller of a late value has gone on: `late` handles the value.
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

    /// Waits, and passes on priority escalations of the waiting task: a continuation does not tell the runtime which task waits
    /// for which.
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
