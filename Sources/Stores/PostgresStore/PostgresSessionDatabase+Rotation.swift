public import Lockstep
internal import LockstepPostgres

extension PostgresSessionDatabase {
    /// The number of values that ``reencrypt()`` has encrypted again, and the number of values that it has left unchanged.
    public struct Rotation: Sendable, Hashable {
        /// The number of values that were encrypted again, with the newest key.
        public var renewed = 0
        /// The number of values that were left unchanged.
        ///
        /// The ring does not contain the keys of these values, or the values are damaged.
        public var left = 0
    }

    /// Encrypts all values with the newest key of the ring.
    ///
    /// The method skips values that already use the newest key. Revisions do not change, so a client that has read a
    /// value is not affected. The call can be stopped and repeated, and can run while sessions are in use. It does not
    /// change the values in the table `lockstep_set_aside`.
    ///
    /// - Returns: The number of values that were encrypted again, and the number of values that were left unchanged.
    /// - Throws: `unwritable`. Values that were already encrypted again keep the new key.
    public func reencrypt() async throws(StoreError) -> Rotation {
        try await confirmNewestKey()
        var rotation = Rotation()
        var last: [UInt8] = []
        let newest = keys.newest.id
        while true {
            let after = last
            let rows = try await call(.unwritable) { connection, _ throws(PostgresError) in
                try connection.run(
                    """
                    SELECT id, owner, key, revision, key_id, sealed FROM lockstep_sessions
                    WHERE key_id <> \(newest) AND id > \(after) ORDER BY id LIMIT 100
                    """
                ).rows.map { row throws(PostgresError) in
                    Row(
                        id: try row[0], owner: try row[1], key: try row[2], revision: try row[3], keyID: try row[4],
                        sealed: try row[5])
                }
            }
            guard let final = rows.last else { return rotation }
            last = final.id
            for row in rows {
                if try await renew(row) { rotation.renewed += 1 } else { rotation.left += 1 }
            }
        }
    }

    private struct Row: Sendable {
        let id: [UInt8]
        let owner: String
        let key: String
        let revision: String
        let keyID: String
        let sealed: [UInt8]
    }

    private func renew(_ row: Row) async throws(StoreError) -> Bool {
        guard let key = StoreKey(text: row.key) else { return false }
        let place = AssociatedData(owner: row.owner, key: key, revision: Revision(rawValue: row.revision))
        guard let bytes = try? keys.open(row.sealed, sealedWith: row.keyID, place: place) else { return false }
        let (sealed, newest) = (try keys.seal(bytes, place: place), keys.newest.id)
        // Another writer that has replaced the row meanwhile has used the newest key.
        try await call(.unwritable) { connection, _ throws(PostgresError) in
            _ = try connection.commit(
                """
                UPDATE lockstep_sessions SET key_id = \(newest), sealed = \(sealed)
                WHERE id = \(row.id) AND revision = \(row.revision) AND key_id = \(row.keyID)
                """)
        }
        return true
    }
}
