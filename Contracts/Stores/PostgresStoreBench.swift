public import LockstepContracts
public import LockstepPostgresStore
internal import PostgresServer

/// The store in PostgreSQL, in a database of its own on a real server.
public struct PostgresStoreBench: StoreBench {
    private let lock: PostgresSessionSettings.SectionLock

    /// The name `postgres`, and how its exclusive locks are made.
    public var name: String { "postgres, \(lock) locks" }

    /// A bench.
    public init(lock: PostgresSessionSettings.SectionLock = .automatic) { self.lock = lock }

    /// Sets up an empty database on the server that the run shares.
    public func withPlace(_ body: @Sendable (any StorePlace) async throws -> Void) async throws {
        let place = try await PostgresPlace(lock: lock, limit: .seconds(20))
        try await place.database().prepare()
        try await body(place)
    }
}
