internal import Synchronization

/// A value that takes long to make (a signing key: 50 to 300 ms): given, or made once, ahead of need, away from the threads that
/// must not wait; all callers that need it meanwhile wait for the same one.
public final class Prepared<Value: Sendable>: Sendable {
    private struct State {
        var made: Value?
        var making: Task<Value, any Error>?
    }

    private let state: Mutex<State>
    private let workers: Workers
    private let make: @Sendable () throws -> Value

    /// A value that is there already, where one is given, or that `make` makes on one of the workers.
    public init(_ given: Value? = nil, on workers: Workers, _ make: @escaping @Sendable () throws -> Value) {
        state = Mutex(State(made: given))
        self.workers = workers
        self.make = make
    }

    /// The value, if it is there, without waiting.
    public var current: Value? { state.withLock { $0.made } }

    /// Begins to make the value, unless that has begun; does not wait.
    public func prepare() {
        if current == nil { _ = task() }
    }

    /// The value, as soon as it is there.
    ///
    /// - Throws: what making it threw; the next call tries again.
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
