public import LockstepContracts
public import LockstepPostgresStore

/// The store in PostgreSQL, in a database of its own on a real server.
public struct PostgresStoreHarness: StoreHarness {
    private let lock: PostgresSessionSettings.LockKind

    /// The name `postgres`, and how its exclusive locks are made.
    public var name: String { "postgres, \(lock) locks" }

    /// A harness.
    public init(lock: PostgresSessionSettings.LockKind = .automatic) { self.lock = lock }

    /// Sets up an empty database on the server that the run shares.
    public func withPlace(_ body: @Sendable (any StorePlace) async throws -> Void) async throws {
        let place = try await PostgresPlace(lock: lock, limit: .seconds(20))
        try await place.database().prepare()
        try await body(place)
    }
}
