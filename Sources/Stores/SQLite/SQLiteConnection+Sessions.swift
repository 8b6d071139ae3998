internal import Lockstep
internal import LockstepSQLite

/// What a row of the table holds.
enum StoredRow: Sendable {
    case sound(StoredValue)
    /// Values of other kinds than a store writes.
    case damaged

    var value: StoredValue? { if case .sound(let value) = self { value } else { nil } }
    var isDamaged: Bool { if case .damaged = self { true } else { false } }
}

extension SQLiteConnection {
    /// The row of a key.
    mutating func row(_ key: StoreKey) throws(SQLiteError) -> StoredRow? {
        try first("SELECT revision, bytes FROM stored WHERE \(Self.matches(key))") { row throws(SQLiteError) in
            let (revision, bytes): (SQLiteValue, SQLiteValue) = (try row[0], try row[1])
            guard case .text(let revision) = revision, case .blob(let bytes) = bytes else { return .damaged }
            return .sound(StoredValue(bytes: bytes, revision: Revision(rawValue: revision)))
        }
    }

    /// Moves the row of a key to the table `aside`, of which the newest eight of a key are kept.
    mutating func moveAside(_ key: StoreKey) throws(SQLiteError) {
        try run(
            "INSERT INTO aside (provider, backend, slot, bytes) SELECT provider, backend, slot, bytes FROM stored WHERE \(Self.matches(key))"
        )
        try delete(key)
        try run(
            """
            DELETE FROM aside WHERE \(Self.matches(key)) AND number NOT IN
            (SELECT number FROM aside WHERE \(Self.matches(key)) ORDER BY number DESC LIMIT 8)
            """)
    }

    mutating func delete(_ key: StoreKey) throws(SQLiteError) { try run("DELETE FROM stored WHERE \(Self.matches(key))") }

    /// Empties the log, in which older states of a page are, unless somebody is reading it.
    mutating func forgetLog() throws(SQLiteError) { try script("PRAGMA wal_checkpoint(TRUNCATE)") }

    private static func matches(_ key: StoreKey) -> SQL {
        "provider = \(key.provider) AND backend = \(key.backend) AND slot = \(key.slot.rawValue)"
    }
}
