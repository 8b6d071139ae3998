public import LockstepContracts

/// A place that another process can open.
public protocol ReachablePlace: StorePlace {
    /// The arguments from which ``StoreHarnesses/place(_:)`` makes this place there.
    var arguments: [String] { get }
}

extension ReachablePlace {
    /// Starts a worker; a small disk replaces ``StorePlace/folder``.
    public func start(_ task: StoreTask, mutation: String?, room: Int?) async throws -> any StoreProcess {
        guard let room else { return try await WorkerProcess.start(task, mutation, place: arguments) }
        guard let folder else { throw EnvironmentError("the place has no folder that could be full") }
        return try await WorkerProcess.start(task, mutation, place: arguments, on: (folder, room))
    }
}
