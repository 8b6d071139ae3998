public import Lockstep
internal import LockstepPrimitives
internal import LockstepSQLite

/// The sessions of one user in a ``SQLiteSessionDatabase``, for servers and tools on one machine.
///
/// All stores of a database share its connection and its thread. A store never sees the values of another user. A tool
/// with only one user can use any owner that never changes.
public struct SQLiteSessionStore: SessionStore {
    let database: SQLiteSessionDatabase
    /// The user's id on this server.
    public let owner: String

    /// Reads the bytes under a key.
    ///
    /// - Parameter key: The key.
    /// - Returns: The bytes with their revision; `nil` if the key has no value.
    /// - Throws: `StoreError`, as `SessionStore.load(_:)` does.
    public func load(_ key: StoreKey) async throws(StoreError) -> StoredValue? { try await database.load(row(key)) }

    /// Replaces the bytes under a key, unless they have changed.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - bytes: The new bytes.
    ///   - revision: The revision that the caller has read; `nil` if the key must have no value.
    /// - Returns: The new revision.
    /// - Throws: `StoreError`, as `SessionStore.replace(_:with:unlessChangedSince:)` does.
    @discardableResult
    public func replace(_ key: StoreKey, with bytes: [UInt8], unlessChangedSince revision: Revision?) async throws(StoreError)
        -> Revision
    {
        let row = row(key)
        let value = StoredValue(bytes: bytes, revision: Revision(rawValue: database.randomness.uuid()))
        try await database.change(row, from: revision) { connection, isThere in
            try connection.write(value, to: row, isNew: !isThere)
        }
        return value.revision
    }

    /// Removes the value under a key.
    ///
    /// - Parameter key: The key.
    /// - Throws: `StoreError`.
    public func remove(_ key: StoreKey) async throws(StoreError) {
        let row = row(key)
        try await database.run(writing: true) { connection in
            try connection.transaction { connection in try connection.delete(row) }
            try connection.forgetLog()
        }
    }

    /// Removes the value under a key, unless it has changed.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - revision: The revision that the caller has read.
    /// - Throws: `StoreError`, as `SessionStore.remove(_:unlessChangedSince:)` does.
    public func remove(_ key: StoreKey, unlessChangedSince revision: Revision) async throws(StoreError) {
        let row = row(key)
        try await database.change(row, from: revision) { connection, _ in try connection.delete(row) }
        try await database.run(writing: true) { connection in try connection.forgetLog() }
    }

    /// Moves the row of a key to the table `aside`, unless it has changed.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - revision: The revision that the caller has read.
    /// - Throws: `StoreError`, as `SessionStore.quarantine(_:unlessChangedSince:)` does.
    public func quarantine(_ key: StoreKey, unlessChangedSince revision: Revision) async throws(StoreError) {
        let row = row(key)
        try await database.change(row, from: revision) { connection, _ in try connection.moveAside(row) }
    }

    /// Returns the keys under which this user has a value.
    ///
    /// - Returns: The keys.
    /// - Throws: `StoreError`.
    public func keys() async throws(StoreError) -> [StoreKey] {
        let owner = owner
        return try await database.run(writing: false) { connection in
            try connection.all("SELECT provider, backend, slot FROM sessions WHERE owner = \(owner)") { row throws(SQLiteError) in
                let (provider, backend, slot): (String, String, String) = (try row[0], try row[1], try row[2])
                return StoreKey.Slot(rawValue: slot).map { StoreKey(provider: provider, backend: backend, slot: $0) }
            }.compactMap { $0 }
        }
    }

    /// Runs a closure while this store holds the exclusive lock for one key of this user.
    ///
    /// No other process can hold the same lock.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - lockTimeout: The longest time to wait for the lock.
    ///   - body: The closure.
    /// - Returns: The value that `body` returns.
    /// - Throws: `StoreError`: `busy` if another holder does not release the lock in this time.
    public func exclusively<Result: Sendable>(
        _ key: StoreKey, lockTimeout: Duration, _ body: @Sendable () async -> Result
    ) async throws(StoreError) -> Result {
        try await database.exclusively(row(key), lockTimeout: lockTimeout, body)
    }

    private func row(_ key: StoreKey) -> SessionRow { SessionRow(owner: owner, key: key) }
}
