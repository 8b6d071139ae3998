public import Lockstep
internal import LockstepPostgres
internal import LockstepPrimitives

/// The sessions of one user in PostgreSQL: for servers that sign in on behalf of many users, on any number of machines.
///
/// One row a value, replaced by its revision in one statement, encrypted with the newest key of the ring. Machines that listen
/// learn of a change at once (``changes(of:)``); the others see it when they load.
///
/// When the power goes: what a call has returned for is on the server's disk, and with `synchronous_standby_names` on a
/// standby's, too, as long as `synchronous_commit` is not turned off; off, the last moments before a crash may be lost, never
/// a part of a value. A replace whose connection breaks is tried again until its outcome is known, by a revision that is
/// made here; where the limit comes first it fails as `unwritable`, and may have been done.
///
/// An attacker who can write to the table can put an older row of the same user back, as restoring a backup does: it was sealed
/// by a right key for this place, and nothing outside the database knows that there was a newer one. That is not prevented. It
/// brings a session back that its user had: its refresh token was used since, and a backend that rotates tokens refuses it.
///
/// What a load and a replace cost stands in docs/performance.md (`Tests/Lab/Benchmarks/Postgres/run`): mostly the way to the server,
/// once each, and for a replace its commit.
public struct PostgresSessionStore: SessionStore {
    let database: PostgresSessionDatabase
    /// The owner of the sessions.
    public let owner: String

    /// The bytes under a key.
    ///
    /// - Throws: `unreadable` where the server cannot be asked, or the key that the row is encrypted with is not on the ring, or has
    ///   another secret there;
    ///   `corrupt` where the row was changed, after it was moved to the table `lockstep_set_aside`.
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
                // Another process may have quarantined or replaced it meanwhile: then there is nothing to do here.
                do throws(StoreError) {
                    try await quarantine(key, unlessChangedSince: revision)
                } catch let other where other.code != .conflict { throw other }
            }
            throw error
        }
    }

    /// Replaces the bytes under a key if their revision is still the one given.
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
            // An attempt whose answer was lost may have been this one's own predecessor.
            guard attempts > 0 else { return false }
            return try connection.run("SELECT 1 FROM lockstep_sessions WHERE id = \(id) AND revision = \(next.rawValue)").count
                > 0
        }
        guard isDone else { throw .changed }
        return next
    }

    /// Removes what is under a key.
    public func remove(_ key: StoreKey) async throws(StoreError) {
        let (id, tells) = (AssociatedData.id(owner, key), database.settings.notifies)
        try await database.call(.unwritable) { connection, _ throws(PostgresError) in
            let change: PostgresStatement = "DELETE FROM lockstep_sessions WHERE id = \(id)"
            _ = try connection.commit(change.told(by: id, tells))
        }
    }

    /// Removes what is under a key if its revision is still the one given.
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

    /// Quarantines the value under a key, if its revision is still the one given: moves it to the table `lockstep_set_aside`.
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

    /// The keys that hold something, for this owner.
    public func keys() async throws(StoreError) -> [StoreKey] {
        let owner = owner
        let texts = try await database.call(.unreadable) { connection, _ throws(PostgresError) -> [String] in
            try connection.run("SELECT key FROM lockstep_sessions WHERE owner = \(owner)").rows.map {
                row throws(PostgresError) in try row[0]
            }
        }
        return texts.compactMap(StoreKey.init(text:))
    }

    /// Runs `body` with the exclusive lock of the owner and key held, in this process and all others.
    ///
    /// A machine that dies frees it at once where the server sees its connection end, otherwise after
    /// ``PostgresSessionSettings/lockLimit``.
    public func exclusively<Result: Sendable>(
        _ key: StoreKey, lockTimeout: Duration, _ body: @Sendable () async -> Result
    ) async throws(StoreError) -> Result {
        try await database.exclusively(AssociatedData.id(owner, key), lockTimeout: lockTimeout, body)
    }

    /// Reports each change to these keys, by any machine, this one included.
    ///
    /// A key may be reported without a change: each of them is when listening has begun, and again after a lost connection,
    /// because changes in between were not notified. So a reader of the stream loads the key and compares revisions. Listening
    /// takes one connection for any number of streams, and ends with the last of them.
    ///
    /// ```swift
    /// for await _ in store.changes(of: [auth.sessionKey]) { await auth.reloadFromStore() }
    /// ```
    public func changes(of keys: [StoreKey]) -> AsyncStream<StoreKey> {
        database.listener.changes(of: keys, owner: owner)
    }
}
