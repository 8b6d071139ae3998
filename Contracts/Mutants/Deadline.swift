internal import LockstepPrimitives

/// Real time, for mutants that have to do with waiting.
enum Deadline {
    /// A few milliseconds.
    static func pause() async { try? await SystemClock().sleep(for: .milliseconds(5)) }

    /// Returns when the task is cancelled, and not before.
    static func never() async { try? await FixedClock().sleep(for: .zero) }

    /// The result of `work` in time; it is cancelled if it takes longer.
    static func first<Value: Sendable>(of limit: Duration, _ work: @escaping @Sendable () async -> Value) async -> Value? {
        await withTaskGroup(of: Value?.self) { group in
            group.addTask { await work() }
            group.addTask {
                try? await SystemClock().sleep(for: limit)
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            return first
        }
    }
}
