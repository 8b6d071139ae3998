public import LockstepContracts
public import LockstepPostgresStore

/// The store in PostgreSQL, in its own database on a real server.
public struct PostgresStoreHarness: StoreHarness {
    private let lock: PostgresSessionSettings.LockKind

    /// The name `postgres`, with the kind of exclusive locks.
    public var name: String { "postgres, \(lock) locks" }

    /// Creates a harness.
    public init(lock: PostgresSessionSettings.LockKind = .automatic) { self.lock = lock }

    /// Sets up an empty database on the server that the run shares.
    public func withPlace(_ body: @Sendable (any StorePlace) async throws -> Void) async throws {
        let place = try await PostgresPlace(lock: lock, limit: .seconds(20))
        try await place.database().prepare()
        try await body(place)
    }
}
