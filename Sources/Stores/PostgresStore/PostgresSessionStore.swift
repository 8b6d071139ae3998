public import Lockstep
internal import LockstepPostgres
internal import LockstepPrimitives

/// The sessions of one user in PostgreSQL, for servers that sign in many users on any number of machines.
///
/// **Rows.** Each value is one row, encrypted with the newest key of the ring. One statement replaces the row, but only
/// if the row still has the expected revision. Machines that use ``changes(of:)`` learn of a change immediately. Other
/// machines notice the change when they read the value.
///
/// **Durability.** When a call returns, its data is on the disk of the server. With `synchronous_standby_names`, it is
/// also on the disk of a standby server. If `synchronous_commit` is off, the latest changes can be lost in a crash, but
/// values are never incomplete. If the connection breaks while the store replaces a value, the store retries until it
/// knows the result. If the time limit passes first, the call fails with `unwritable`, and the change may have been
/// made.
///
/// **Attacks.** An attacker who can write to the table can restore an older row of the same user, just as a backup
/// could. The store cannot prevent this attack, because nothing outside the database knows about the newer row. But the
/// refresh token in the older row was already used, so a backend that rotates tokens rejects it.
///
/// **Cost.** CONTRIBUTING.md contains the times for reading and replacing a value
/// (`Tests/Lab/Benchmarks/Postgres/run`). Each operation needs one request to the server. To replace a value, the store
/// also waits for the commit.
public struct PostgresSessionStore: SessionStore {
    let database: PostgresSessionDatabase
    /// The user's id on this server.
    public let owner: String

    /// Reads the bytes under a key.
    ///
    /// - Parameter key: The key.
    /// - Returns: The bytes with their revision; `nil` if the key has no value.
    /// - Throws: `unreadable` if the server cannot be reached, or if the ring does not contain the right key for the
    ///   row; `corrupt` if someone has changed the row. A changed row is moved to the table `lockstep_set_aside`.
    public func load(_ key: StoreKey) async throws(StoreError) -> StoredValue? {
        let id = AssociatedData.id(owner, key)
        let row = try await database.call(.unreadable) { connection, _ throws(PostgresError) in
            try connection.run("SELECT revision, key_id, sealed FROM lockstep_sessions WHERE id = \(id)").rows.first
        }
        guard let row else { return nil }
        let revision: Revision
        let (keyID, sealed): (String, [UInt8])
        do throws(PostgresError) {
            revision = Revision(rawValue: try row[0])
            (keyID, sealed) = (try row[1], try row[2])
        } catch {
            throw StoreError(.unreadable, error)
        }
        do throws(StoreError) {
            let place = AssociatedData(owner: owner, key: key, revision: revision)
            return StoredValue(bytes: try database.keys.open(sealed, sealedWith: keyID, place: place), revision: revision)
        } catch {
            if error.code == .corrupt {
                try await database.confirm(keyID)
                // Another process may have quarantined or replaced the row meanwhile. Then there is nothing to do here.
                do throws(StoreError) {
                    try await quarantine(key, unlessChangedSince: revision)
                } catch let other where other.code != .conflict { throw other }
            }
            throw error
        }
    }

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
        let next = Revision(rawValue: database.randomness.uuid())
        let place = AssociatedData(owner: owner, key: key, revision: next)
        let (id, keyID) = (AssociatedData.id(owner, key), database.keys.newest.id)
        try await database.confirmNewestKey()
        let sealed = try database.keys.seal(bytes, place: place)
        let (owner, name, tells) = (owner, key.text, database.settings.notifies)
        let isDone = try await database.call(.unwritable) { connection, attempts throws(PostgresError) in
            let change: PostgresStatement =
                if let revision {
                    """
                    UPDATE lockstep_sessions
                    SET revision = \(next.rawValue), key_id = \(keyID), sealed = \(sealed), changed = now()
                    WHERE id = \(id) AND revision = \(revision.rawValue)
                    """
                } else {
                    """
                    INSERT INTO lockstep_sessions (id, owner, key, revision, key_id, sealed)
                    VALUES (\(id), \(owner), \(name), \(next.rawValue), \(keyID), \(sealed)) ON CONFLICT (id) DO NOTHING
                    """
                }
            if try connection.commit(change.told(by: id, tells)).count > 0 { return true }
            // The change may have been made by an earlier attempt of this call, whose response was lost.
            guard attempts > 0 else { return false }
            return try connection.run("SELECT 1 FROM lockstep_sessions WHERE id = \(id) AND revision = \(next.rawValue)").count
                > 0
        }
        guard isDone else { throw .changed }
        return next
    }

    /// Removes the value under a key.
    ///
    /// - Parameter key: The key.
    /// - Throws: `StoreError`.
    public func remove(_ key: StoreKey) async throws(StoreError) {
        let (id, tells) = (AssociatedData.id(owner, key), database.settings.notifies)
        try await database.call(.unwritable) { connection, _ throws(PostgresError) in
            let change: PostgresStatement = "DELETE FROM lockstep_sessions WHERE id = \(id)"
            _ = try connection.commit(change.told(by: id, tells))
        }
    }

    /// Removes the value under a key, unless it has changed.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - revision: The revision that the caller has read.
    /// - Throws: `StoreError`, as `SessionStore.remove(_:unlessChangedSince:)` does.
    public func remove(_ key: StoreKey, unlessChangedSince revision: Revision) async throws(StoreError) {
        let (id, tells) = (AssociatedData.id(owner, key), database.settings.notifies)
        let isDone = try await database.call(.unwritable) { connection, attempts throws(PostgresError) in
            let change: PostgresStatement = "DELETE FROM lockstep_sessions WHERE id = \(id) AND revision = \(revision.rawValue)"
            if try connection.commit(change.told(by: id, tells)).count > 0 { return true }
            guard attempts > 0 else { return false }
            return try connection.run("SELECT 1 FROM lockstep_sessions WHERE id = \(id)").count == 0
        }
        guard isDone else { throw .changed }
    }

    /// Moves the value under a key to the table `lockstep_set_aside`, unless it has changed.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - revision: The revision that the caller has read.
    /// - Throws: `StoreError`, as `SessionStore.quarantine(_:unlessChangedSince:)` does.
    public func quarantine(_ key: StoreKey, unlessChangedSince revision: Revision) async throws(StoreError) {
        let id = AssociatedData.id(owner, key)
        let isDone = try await database.call(.unwritable) { connection, attempts throws(PostgresError) in
            try connection.transaction { connection throws(PostgresError) in
                let moved = try connection.run(
                    """
                    WITH moved AS (
                        DELETE FROM lockstep_sessions WHERE id = \(id) AND revision = \(revision.rawValue)
                        RETURNING id, owner, key, revision, key_id, sealed)
                    INSERT INTO lockstep_set_aside (id, owner, key, revision, key_id, sealed) SELECT * FROM moved
                    """)
                try connection.run(
                    """
                    DELETE FROM lockstep_set_aside WHERE id = \(id) AND revision NOT IN (
                        SELECT revision FROM lockstep_set_aside WHERE id = \(id) ORDER BY changed DESC LIMIT 8)
                    """)
                guard moved.count == 0, attempts > 0 else { return moved.count > 0 }
                return try connection.run(
                    "SELECT 1 FROM lockstep_set_aside WHERE id = \(id) AND revision = \(revision.rawValue)"
                ).count > 0
            }
        }
        guard isDone else { throw .changed }
    }

    /// Returns the keys under which this user has a value.
    ///
    /// - Returns: The keys.
    /// - Throws: `StoreError`.
    public func keys() async throws(StoreError) -> [StoreKey] {
        let owner = owner
        let texts = try await database.call(.unreadable) { connection, _ throws(PostgresError) -> [String] in
            try connection.run("SELECT key FROM lockstep_sessions WHERE owner = \(owner)").rows.map {
                row throws(PostgresError) in try row[0]
            }
        }
        return texts.compactMap(StoreKey.init(text:))
    }

    /// Runs a closure while this store holds the exclusive lock for one key of this user.
    ///
    /// No other process and no other machine can hold the same lock. If a machine fails, the server releases the
    /// machine's lock when it notices the lost connection. At the latest, it releases the lock after
    /// ``PostgresSessionSettings/lockLimit``.
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
        try await database.exclusively(AssociatedData.id(owner, key), lockTimeout: lockTimeout, body)
    }

    /// Returns a stream that reports when this or any other machine changes a value.
    ///
    /// At the beginning and after a lost connection, the stream may also report keys with unchanged values. So read the
    /// value of each reported key, and compare its revision.
    ///
    /// All streams share one connection, which closes when the last stream ends.
    ///
    /// ```swift
    /// for await _ in store.changes(of: [auth.sessionKey]) { await auth.reloadFromStore() }
    /// ```
    ///
    /// - Parameter keys: The keys to watch.
    /// - Returns: The stream of the keys of changed values.
    public func changes(of keys: [StoreKey]) -> AsyncStream<StoreKey> {
        database.listener.changes(of: keys, owner: owner)
    }
}
