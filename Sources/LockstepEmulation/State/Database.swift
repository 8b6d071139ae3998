@_exported public import LockstepSQLite
internal import LockstepSystem
internal import Synchronization

/// The state of one emulator: a SQLite database with one connection and cached statements.
///
/// Calls are synchronous and short. They run one at a time, on the server's thread or the emulator's own. A call inside the body
/// of another call would deadlock; use the connection that is passed to the body.
public final class Database: Sendable {
    private let connection: Mutex<SQLiteConnection>
    private let storage: Storage
    private let schema: Schema
    private let mirror: (any RowMirror)?

    /// Opens the database `name`: creates its tables, or updates those of an earlier build.
    ///
    /// If several processes open it at the same time, they wait for each other.
    ///
    /// - Parameters:
    ///   - name: The name of the file, without its extension.
    ///   - storage: Where the state is kept.
    ///   - schema: The tables.
    ///   - mirror: Another database that stores rows of these tables; `nil` if there is none. It requires state in memory.
    /// - Throws: `SQLiteError`; a `StorageError` if other users can access the file; a ``RowMirrorError``.
    public init(_ name: String, in storage: Storage, _ schema: Schema, mirror: (any RowMirror)? = nil) throws {
        switch storage {
        case .memory:
            var connection = try SQLiteConnection(.memory)
            try schema.open(&connection)
            try mirror?.open(&connection)
            self.connection = Mutex(connection)
        case .folder(let path):
            guard mirror == nil else {
                throw RowMirrorError("Rows of another database cannot be combined with a folder: remove one of them.")
            }
            self.connection = Mutex(try StateFolder(LocalPath.resolve(path)).open(name, schema))
        }
        self.mirror = mirror
        self.storage = storage
        self.schema = schema
    }

    /// Runs a body that only reads.
    public func read<Value: Sendable>(_ body: (inout SQLiteConnection) throws -> Value) throws -> Value {
        try connection.withLock { connection in
            try mirror?.refresh(&connection)
            return try body(&connection)
        }
    }

    /// Runs `body` in a transaction, which is rolled back if `body` throws.
    @discardableResult
    public func write<Value: Sendable>(_ body: (inout SQLiteConnection) throws -> Value) throws -> Value {
        try connection.withLock { connection in
            guard let mirror else { return try connection.transaction(body) }
            do {
                return try connection.transaction { connection in
                    try mirror.begin(&connection)
                    let value = try body(&connection)
                    try mirror.commit(&connection)
                    return value
                }
            } catch {
                mirror.rollBack()
                throw error
            }
        }
    }

    /// Whether the state outlives the process.
    var isPersistent: Bool { storage != .memory }

    /// Deletes all rows of all tables, and releases the disk space.
    ///
    /// - Throws: `SQLiteError`; a ``RowMirrorError`` if the other database does not allow the deletion.
    public func erase() throws { try erase(but: nil) }

    /// Throws if the rows are also stored in another database that does not allow their deletion.
    ///
    /// - Throws: ``RowMirrorError``.
    public func requireErasable() throws {
        guard let mirror, !mirror.mayErase else { return }
        throw RowMirrorError(
            """
            The users are those of \(mirror.summary), and --create-schema did not make its tables: they are not deleted. Delete them \
            by SQL, or start with an empty database and --create-schema.
            """, isOfWriting: true)
    }

    /// The same, in a folder without the rows of those names in one table.
    func erase(but kept: (table: String, names: Set<String>)?) throws {
        try requireErasable()
        switch storage {
        case .memory where mirror != nil:
            try write { try $0.deleteEverything() }
        case .memory:
            // Deleting rows would take as much again for the journal and keep the pages; another database takes the place.
            try connection.withLock { connection in
                connection = try SQLiteConnection(.memory)
                try schema.open(&connection)
            }
        case .folder:
            try write { connection in
                try connection.deleteEverything(but: kept)
            }
            // Where another process uses the file it stays long until the next time; nothing else depends on it.
            try? connection.withLock { try $0.script("VACUUM; PRAGMA wal_checkpoint(TRUNCATE)") }
        }
        CurrentProcess.returnFreeMemory()
    }
}

extension SQLiteConnection {
    /// Deletes all rows of all tables, in the caller's transaction.
    ///
    /// - Parameter kept: The names of the rows in one table that are kept.
    /// - Throws: The error of SQLite.
    public mutating func deleteEverything(but kept: (table: String, names: Set<String>)? = nil) throws {
        let tables: [String] = try all(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!'"
        ) { row throws(SQLiteError) in try row[0] }
        try script("PRAGMA defer_foreign_keys = ON")
        for table in tables where table != kept?.table { try script("DELETE FROM \"\(table)\"") }
        if let kept { try run("DELETE FROM \(name: kept.table) WHERE name NOT IN (\(list: kept.names.sorted()))") }
    }
}

/// The place where emulators store their state.
public enum Storage: Sendable, Hashable {
    /// In memory; lost when the process ends.
    case memory
    /// In this existing folder, with one file per provider.
    case folder(String)
}
