public import Lockstep
internal import LockstepPrimitives
internal import LockstepSQLite

/// The sessions of one user in a ``SQLiteSessionDatabase``: for servers and tools with many users on one machine.
///
/// It is only a name: all stores of a database share its connection and its thread. Two users are two owners, and never see each
/// other's values; a tool with one user gives its owner any name that does not change.
public struct SQLiteSessionStore: SessionStore {
    let database: SQLiteSessionDatabase
    /// The owner of the sessions.
    public let owner: String

    /// The bytes under a key.
    public func load(_ key: StoreKey) async throws(StoreError) -> StoredValue? { try await database.load(row(key)) }

    /// Replaces the bytes under a key if their revision is still the one given.
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

    /// Removes what is under a key.
    public func remove(_ key: StoreKey) async throws(StoreError) {
        let row = row(key)
        try await database.run(writing: true) { connection in
            try connection.transaction { connection in try connection.delete(row) }
            try connection.forgetLog()
        }
    }

    /// Removes what is under a key if its revision is still the one given.
    public func remove(_ key: StoreKey, unlessChangedSince revision: Revision) async throws(StoreError) {
        let row = row(key)
        try await database.change(row, from: revision) { connection, _ in try connection.delete(row) }
        try await database.run(writing: true) { connection in try connection.forgetLog() }
    }

    /// Quarantines the row of a key.
    public func quarantine(_ key: StoreKey, unlessChangedSince revision: Revision) async throws(StoreError) {
        let row = row(key)
        try await database.change(row, from: revision) { connection, _ in try connection.moveAside(row) }
    }

    /// The keys that hold something, for this owner.
    public func keys() async throws(StoreError) -> [StoreKey] {
        let owner = owner
        return try await database.run(writing: false) { connection in
            try connection.all("SELECT provider, backend, slot FROM sessions WHERE owner = \(owner)") { row throws(SQLiteError) in
                let (provider, backend, slot): (String, String, String) = (try row[0], try row[1], try row[2])
                return StoreKey.Slot(rawValue: slot).map { StoreKey(provider: provider, backend: backend, slot: $0) }
            }.compactMap { $0 }
        }
    }

    /// Runs `body` with the exclusive lock of the owner and key held, in this process and all others.
    public func exclusively<Result: Sendable>(
        _ key: StoreKey, lockTimeout: Duration, _ body: @Sendable () async -> Result
    ) async throws(StoreError) -> Result {
        try await database.exclusively(row(key), lockTimeout: lockTimeout, body)
    }

    private func row(_ key: StoreKey) -> SessionRow { SessionRow(owner: owner, key: key) }
}
