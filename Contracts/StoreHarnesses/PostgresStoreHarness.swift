package import LockstepContracts
package import LockstepPostgresStore

/// A harness for the store in PostgreSQL.
///
/// The harness uses its own database on a real server.
package struct PostgresStoreHarness: StoreHarness {
    private let lock: PostgresSessionSettings.LockKind

    /// The name `postgres` and the kind of exclusive lock.
    package var name: String { "postgres, \(lock) locks" }

    /// Creates a harness.
    ///
    /// - Parameter lock: The kind of exclusive lock that the store uses. By default, the store chooses the kind of lock.
    package init(lock: PostgresSessionSettings.LockKind = .automatic) { self.lock = lock }

    /// Creates an empty database on the shared server of the test run, and passes its place to a closure.
    ///
    /// - Parameter body: The closure that receives the place.
    /// - Throws: The error that `body` throws, or an error of the setup.
    package func withPlace(_ body: @Sendable (any StorePlace) async throws -> Void) async throws {
        let place = try await PostgresPlace(lock: lock, limit: .seconds(20))
        try await place.database().prepare()
        try await body(place)
    }
}
