package import LockstepContracts

/// A place that a store in another process can open.
package protocol ReachablePlace: StorePlace {
    /// The arguments from which ``StoreHarnesses/place(_:)`` creates this place in the other process.
    var arguments: [String] { get }
}

extension ReachablePlace {
    /// Starts a worker process whose store uses this place.
    ///
    /// - Parameters:
    ///   - mutation: The name of the fault in the store of that process; `nil` for a store without a fault.
    ///   - room: The size of a small disk that replaces ``StorePlace/folder`` for the worker; `nil` for the real disk.
    /// - Throws: ``EnvironmentError`` if a small disk is not possible, or the error that occurred when the worker was started.
    package func start(_ task: StoreTask, mutation: String?, room: Int?) async throws -> any StoreProcess {
        guard let room else { return try await WorkerProcess.start(task, mutation, place: arguments) }
        guard let folder else { throw EnvironmentError("the place has no folder on a disk that can become full") }
        return try await WorkerProcess.start(task, mutation, place: arguments, on: (folder, room))
    }
}
