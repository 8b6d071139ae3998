internal import LockstepPrimitives
internal import Synchronization

/// A value that is filled once.
final class Slot<Value: Sendable>: Sendable {
    private let state = Mutex<Value?>(nil)

    var value: Value? { state.withLock { $0 } }

    /// - Returns: whether it was empty.
    @discardableResult
    func fill(_ value: Value) -> Bool {
        state.withLock { state in
            guard state == nil else { return false }
            state = value
            return true
        }
    }
}

/// Work against a limit of real time, for what a check must survive: work that never ends.
enum Race {
    private static let part = Duration.milliseconds(50)

    /// The result of `work`; `nil` when it has not ended by the limit.
    ///
    /// It is then cancelled and left to itself. The limit is real time, and longer on a machine that is busy.
    static func first<Value: Sendable>(limit: Duration, _ work: @escaping @Sendable () async -> Value) async -> Value? {
        let done = Slot<Bool>()
        return await withCheckedContinuation { (answer: CheckedContinuation<Value?, Never>) in
            let watch = Slot<Task<Void, Never>>()
            let task = Task {
                let value = await work()
                if done.fill(true) {
                    watch.value?.cancel()
                    answer.resume(returning: value)
                }
            }
            watch.fill(
                Task {
                    // In many short parts, each of which waits for a free thread as `work` does: where all are busy, the limit
                    // grows with them.
                    var rest = limit
                    while rest > .zero {
                        do { try await SystemClock().sleep(for: min(rest, part)) } catch { return }
                        rest -= part
                    }
                    if done.fill(true) {
                        task.cancel()
                        answer.resume(returning: nil)
                    }
                })
            if done.value != nil { watch.value?.cancel() }
        }
    }
}
