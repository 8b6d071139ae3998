internal import LockstepPrimitives

/// Real-time waits for mutants.
enum Deadline {
    /// Waits for a few milliseconds.
    static func pause() async { try? await SystemClock().sleep(for: .milliseconds(5)) }

    /// Waits until the task is cancelled.
    static func never() async { try? await FixedClock().sleep(for: .zero) }

    /// Returns the result of `work`; `nil` if the work takes longer than the limit.
    ///
    /// The work is then cancelled.
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
