internal import LockstepPrimitives
internal import Synchronization

/// A value that can be filled once.
final class Slot<Value: Sendable>: Sendable {
    private let state = Mutex<Value?>(nil)

    var value: Value? { state.withLock { $0 } }

    /// - Returns: Whether the value was empty.
    @discardableResult
    func fill(_ value: Value) -> Bool {
        state.withLock { state in
            guard state == nil else { return false }
            state = value
            return true
        }
    }
}

/// A race between work and a limit of real time, because work may never end.
enum Race {
    private static let part = Duration.milliseconds(50)

    /// Returns the result of `work`; `nil` if the work has not ended within the limit.
    ///
    /// The work is then cancelled, and may continue. The limit is real time, and is longer on a busy machine.
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
                    // The limit consists of many short parts. Each part waits for a free thread, like `work`. So the limit grows
                    // if all threads are busy.
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
