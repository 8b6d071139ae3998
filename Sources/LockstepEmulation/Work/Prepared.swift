internal import Synchronization

/// A value that takes long to make (a signing key): made ahead of need in the background, once, and waited for by whoever needs
/// it.
public final class Prepared<Value: Sendable>: Sendable {
    private let making: Mutex<Task<Value, any Error>?> = Mutex(nil)
    private let workers: Workers
    private let make: @Sendable () throws -> Value

    /// Nothing is made yet.
    public init(on workers: Workers, _ make: @escaping @Sendable () throws -> Value) {
        self.workers = workers
        self.make = make
    }

    /// Begins to make the value, unless that has begun; does not wait.
    public func prepare() {
        _ = task()
    }

    /// The value, as soon as it is made.
    public var value: Value {
        get async throws { try await task().value }
    }

    private func task() -> Task<Value, any Error> {
        making.withLock { making in
            if let making { return making }
            let task = Task { [workers, make] in try await workers.run(make) }
            making = task
            return task
        }
    }
}
