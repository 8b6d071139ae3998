internal import Synchronization

/// A value that takes long to create, such as a signing key (50 to 300 ms).
///
/// It is passed in, or created once on a worker thread. All callers wait for the same value.
public final class Prepared<Value: Sendable>: Sendable {
    private struct State {
        var made: Value?
        var making: Task<Value, any Error>?
    }

    private let state: Mutex<State>
    private let workers: Workers
    private let make: @Sendable () throws -> Value

    /// Creates a value that is passed in, or that `make` creates on a worker.
    public init(_ given: Value? = nil, on workers: Workers, _ make: @escaping @Sendable () throws -> Value) {
        state = Mutex(State(made: given))
        self.workers = workers
        self.make = make
    }

    /// The value if it exists already, without waiting.
    public var current: Value? { state.withLock { $0.made } }

    /// Starts to create the value, unless that has started; does not wait.
    public func prepare() {
        if current == nil { _ = task() }
    }

    /// The value, as soon as it exists.
    ///
    /// - Throws: The error of its creation; the next call tries again.
    public var value: Value {
        get async throws {
            if let current { return current }
            let task = task()
            do {
                return try await task.value
            } catch {
                state.withLock { if $0.making == task { $0.making = nil } }
                throw error
            }
        }
    }

    private func task() -> Task<Value, any Error> {
        state.withLock { state in
            if let making = state.making { return making }
            let task = Task { [workers, make] in
                let value = try await workers.run(make)
                self.state.withLock { $0.made = value }
                return value
            }
            state.making = task
            return task
        }
    }
}
