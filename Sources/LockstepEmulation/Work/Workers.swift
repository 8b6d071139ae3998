internal import LockstepSystem
internal import Synchronization

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Threads for work that computes or blocks for more than a millisecond.
///
/// The threads start when they are first needed.
public final class Workers: Sendable {
    private struct State {
        /// The maximum number of threads.
        ///
        /// It is read from the machine when the first thread is needed, because many emulators start no thread.
        var limit: Int?
        var executors: [ThreadExecutor] = []
        var next = 0
    }

    private let state: Mutex<State>

    /// Creates workers.
    ///
    /// The threads start when they are first needed.
    ///
    /// - Parameter count: The maximum number of threads. Default: the number of processors.
    public init(count: Int? = nil) {
        state = Mutex(State(limit: count))
    }

    /// Runs some work on one of the threads, and waits for its result.
    ///
    /// - Throws: The error that `body` throws; the system's error if no thread can be started.
    public func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        let executor = try executor()
        return try await withTaskExecutorPreference(executor) { try await Self.perform(body) }
    }

    private func executor() throws -> ThreadExecutor {
        try state.withLock { state in
            let limit = max(1, state.limit ?? ProcessInfo.processInfo.activeProcessorCount)
            state.limit = limit
            if state.executors.count < limit { state.executors.append(try ThreadExecutor()) }
            state.next = (state.next + 1) % state.executors.count
            return state.executors[state.next]
        }
    }

    /// Leaves the caller's actor, so that the preferred executor runs `body`.
    @concurrent private static func perform<Value: Sendable>(_ body: @Sendable () throws -> Value) async throws -> Value {
        try body()
    }
}
