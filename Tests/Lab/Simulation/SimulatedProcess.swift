import Lockstep

/// A process with a client: the client's memory and the running operations.
struct SimulatedProcess {
    /// An operation, and the state of its next action.
    struct Job {
        enum Progress {
            /// The action has not been done yet.
            case due(SessionOperation.Action)
            /// The action is done, and the operation does not know yet.
            case done(SessionOperation.Event)
        }

        let number: Int
        var operation: SessionOperation
        var progress: Progress
        /// Whether it has the exclusive lock.
        var isInside = false
        /// Whether it has the process's turn at the store.
        var hasTurn = false
    }

    var machine = SessionMachine()
    var jobs: [Job] = []
    /// The newest token of each family that this process has had in memory.
    var newest: [Int: Int] = [:]

    var isReady: Bool {
        if case .ready = machine.phase { true } else { false }
    }

    var hasTurn: Bool { jobs.contains { $0.hasTurn } }

    /// Whether a refresh of the current generation is running, which others join.
    var isRefreshing: Bool {
        jobs.contains { job in
            if case .refresh = job.operation.purpose { job.operation.generation == machine.generation } else { false }
        }
    }
}
