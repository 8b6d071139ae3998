internal import Lockstep
internal import LockstepCrypto
internal import LockstepSQLite

/// The place of a value: its owner and its key.
struct SessionRow: Sendable {
    let owner: String
    let key: StoreKey

    /// The name of the row in the table that lists the rows that must exist.
    var id: [UInt8] { key.digest(owner: owner) }

    /// Returns the digest that is stored with the value.
    ///
    /// It detects a changed bit in any column.
    func digest(of value: StoredValue) -> [UInt8] {
        let place = [owner, key.provider, key.backend, key.slot.rawValue, value.revision.rawValue]
        return HashFunction.sha256.digest(StoreKey.joined(place) + value.bytes)
    }
}

/// The state of a row.
enum RowState: Sendable {
    case missing
    case sound(StoredValue)
    /// The row contains a value that no store has written, or a required row is missing.
    case damaged

    var value: StoredValue? { if case .sound(let value) = self { value } else { nil } }
}

extension SQLiteConnection {
    /// Returns the state of the row.
    mutating func state(of row: SessionRow) throws(SQLiteError) -> RowState {
        let found = try first("SELECT revision, bytes, digest FROM sessions WHERE \(Self.matches(row))") {
            columns throws(SQLiteError) -> RowState in
            let (revision, bytes, digest): (SQLiteValue, SQLiteValue, SQLiteValue) = (
                try columns[0], try columns[1], try columns[2]
            )
            guard case .text(let revision) = revision, case .blob(let bytes) = bytes else { return .damaged }
            let value = StoredValue(bytes: bytes, revision: Revision(rawValue: revision))
            return digest == .blob(row.digest(of: value)) ? .sound(value) : .damaged
        }
        if let found { return found }
        return try exists("SELECT 1 FROM present WHERE id = \(row.id)") ? .damaged : .missing
    }

    /// Stores a value in the row.
    mutating func write(_ value: StoredValue, to row: SessionRow, isNew: Bool) throws(SQLiteError) {
        let key = row.key
        try run(
            """
            INSERT OR REPLACE INTO sessions (owner, provider, backend, slot, revision, bytes, digest)
            VALUES (\(row.owner), \(key.provider), \(key.backend), \(key.slot.rawValue), \(value.revision.rawValue),
                \(value.bytes), \(row.digest(of: value)))
            """)
        if isNew { try run("INSERT OR IGNORE INTO present (id) VALUES (\(row.id))") }
    }

    /// Moves the row to the table `aside`, which keeps the newest eight rows of a key.
    mutating func moveAside(_ row: SessionRow) throws(SQLiteError) {
        try run(
            """
            INSERT INTO aside (owner, provider, backend, slot, bytes)
            SELECT owner, provider, backend, slot, bytes FROM sessions WHERE \(Self.matches(row))
            """)
        try delete(row)
        try run(
            """
            DELETE FROM aside WHERE \(Self.matches(row)) AND number NOT IN
            (SELECT number FROM aside WHERE \(Self.matches(row)) ORDER BY number DESC LIMIT 8)
            """)
    }

    /// Deletes the row, and records that it need not exist.
    mutating func delete(_ row: SessionRow) throws(SQLiteError) {
        try run("DELETE FROM sessions WHERE \(Self.matches(row))")
        try run("DELETE FROM present WHERE id = \(row.id)")
    }

    /// Empties the log, which contains older states of pages, unless another connection is reading it.
    mutating func forgetLog() throws(SQLiteError) { try script("PRAGMA wal_checkpoint(TRUNCATE)") }

    private static func matches(_ row: SessionRow) -> SQL {
        """
        owner = \(row.owner) AND provider = \(row.key.provider) AND backend = \(row.key.backend)
        AND slot = \(row.key.slot.rawValue)
        """
    }
}
