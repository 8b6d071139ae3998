internal import Synchronization

/// A value that takes a long time to make, such as a signing key (50 to 300 ms).
///
/// The caller gives the value, or a worker makes it once. All callers wait for the same value.
public final class Prepared<Value: Sendable>: Sendable {
    private struct State {
        var made: Value?
        var making: Task<Value, any Error>?
    }

    private let state: Mutex<State>
    private let workers: Workers
    private let make: @Sendable () throws -> Value

    /// Creates a container for a given value, or for a value that a worker makes later.
    ///
    /// - Parameters:
    ///   - given: The value; `nil` if a worker must make the value.
    ///   - workers: The workers on which the value is made.
    public init(_ given: Value? = nil, on workers: Workers, _ make: @escaping @Sendable () throws -> Value) {
        state = Mutex(State(made: given))
        self.workers = workers
        self.make = make
    }

    /// The value, if it already exists.
    ///
    /// Otherwise `nil`, without waiting.
    public var current: Value? { state.withLock { $0.made } }

    /// Starts the work that makes the value, unless the work has already started.
    ///
    /// This call does not wait for the value.
    public func prepare() {
        if current == nil { _ = task() }
    }

    /// The value.
    ///
    /// If the value does not exist yet, the call waits for it.
    ///
    /// - Throws: The error that occurred when the value was made. The next call tries again.
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
