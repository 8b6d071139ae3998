internal import Lockstep
public import LockstepDirectory
internal import LockstepPostgres

extension GoTrueDatabase {
    /// Runs a closure with a directory that shows all users at one point in time.
    ///
    /// The directory does not show changes that others make during the closure. During the closure, the database must
    /// keep all deleted and changed rows, so keep the closure short.
    ///
    /// ```swift
    /// let count = try await database.withSnapshot { users in try await users.count() }
    /// print(count)
    /// ```
    ///
    /// - Parameter body: The closure. A closure that reads users from the given directory. If the closure writes with
    ///   that directory, the changes are committed immediately, but later reads in the closure do not show them.
    /// - Returns: The result of `body`.
    /// - Throws: The error of `body`; `network` if the connection, and thus the snapshot, was lost.
    public func withSnapshot<Value: Sendable>(
        _ body: (any UserDirectory) async throws -> Value
    ) async throws -> Value {
        let session = try await AuthError.ofDatabase { () async throws(PostgresError) in
            let session = try await pool.take(within: settings.limit)
            do throws(PostgresError) {
                try await session.run(within: settings.limit, on: .opening) { connection throws(PostgresError) in
                    try connection.run("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
                    try connection.run(Self.readSettings)
                }
            } catch {
                pool.give(back: session)
                throw error
            }
            return session
        }
        var directory = self
        directory.snapshot = UserSnapshot(session: session)
        let outcome: Result<Value, any Error>
        do {
            outcome = .success(try await body(directory))
        } catch {
            outcome = .failure(error)
        }
        // A transaction that only read data needs no response, and a lost connection no longer has a transaction.
        _ = try? await session.run(within: settings.limit, on: .same) { connection throws(PostgresError) in
            try connection.run("ROLLBACK")
        }
        pool.give(back: session)
        return try outcome.get()
    }
}

/// A transaction that stays open for several reads.
struct UserSnapshot: Sendable {
    let session: PostgresSession

    func read<Value: Sendable>(
        within limit: Duration, _ body: @Sendable (PostgresConnection) throws(PostgresError) -> Value
    ) async throws(AuthError) -> Value {
        try await AuthError.ofDatabase { () async throws(PostgresError) in
            try await session.run(within: limit, on: .continuing, body)
        }
    }
}

extension AuthError {
    /// Runs `body`, and converts the error of the database.
    static func ofDatabase<Value>(_ body: () async throws(PostgresError) -> Value) async throws(AuthError) -> Value {
        do throws(PostgresError) { return try await body() } catch { throw AuthError(error) }
    }
}
