@_exported public import LockstepSQLite
internal import LockstepSystem
internal import Synchronization

/// The stored state of one emulator: a SQLite database with one connection.
///
/// Calls are short, and run one at a time. A nested call waits forever, so use the connection that the closure receives.
public final class Database: Sendable {
    private let connection: Mutex<SQLiteConnection>
    private let storage: Storage
    private let schema: Schema
    private let mirror: (any RowMirror)?

    /// Opens a database, and creates or updates its tables.
    ///
    /// If several processes open the same database at the same time, they wait for each other.
    ///
    /// - Parameters:
    ///   - name: The name of the file, without its extension.
    ///   - storage: The storage for the state.
    ///   - mirror: Another database that stores the rows of these tables; `nil` if the emulator has no such database. Such a
    ///     database requires that the state is in memory.
    /// - Throws: `SQLiteError`; ``StorageError`` if other users of the machine can access the file; ``RowMirrorError`` if the
    ///   other database cannot be used.
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

    /// Runs a closure that only reads.
    ///
    /// - Parameter body: The closure, which receives the connection.
    /// - Throws: The error that `body` throws, or the error of the database.
    public func read<Value: Sendable>(_ body: (inout SQLiteConnection) throws -> Value) throws -> Value {
        try connection.withLock { connection in
            try mirror?.refresh(&connection)
            return try body(&connection)
        }
    }

    /// Runs a closure in a transaction.
    ///
    /// If the closure throws an error, the transaction is rolled back.
    ///
    /// - Parameter body: The closure, which receives the connection.
    /// - Throws: The error that `body` throws, or the error of the database.
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

    /// Deletes all rows of all tables, and frees their space on the disk.
    ///
    /// - Throws: `SQLiteError`; ``RowMirrorError`` if another database stores the rows and does not allow the deletion.
    public func erase() throws { try erase(but: nil) }

    /// Throws an error if another database stores the rows and does not allow their deletion.
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

    /// Deletes all rows.
    ///
    /// In a folder, it keeps the rows with the given names in one table.
    func erase(but kept: (table: String, names: [String])?) throws {
        try requireErasable()
        switch storage {
        case .memory where mirror != nil:
            try write { try $0.deleteEverything() }
        case .memory:
            // Deleting rows would need the same space again for the journal, and would keep the pages. So another database
            // replaces this one.
            try connection.withLock { connection in
                connection = try SQLiteConnection(.memory)
                try schema.open(&connection)
            }
        case .folder:
            try write { connection in
                try connection.deleteEverything(but: kept)
            }
            // If another process uses the file, it keeps its size until the next time. Nothing else depends on the size.
            try? connection.withLock { try $0.script("VACUUM; PRAGMA wal_checkpoint(TRUNCATE)") }
        }
        CurrentProcess.returnFreeMemory()
    }
}

extension SQLiteConnection {
    /// Deletes all rows of all tables, inside the caller's transaction.
    ///
    /// - Parameter kept: A table, and the names of its rows to keep; `nil` to delete all.
    /// - Throws: The error of the database.
    public mutating func deleteEverything(but kept: (table: String, names: [String])? = nil) throws {
        let tables: [String] = try all(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!'"
        ) { row throws(SQLiteError) in try row[0] }
        try script("PRAGMA defer_foreign_keys = ON")
        for table in tables where table != kept?.table { try script("DELETE FROM \"\(table)\"") }
        if let kept { try run("DELETE FROM \(name: kept.table) WHERE name NOT IN (\(list: kept.names))") }
    }
}

/// The place in which emulators store their state.
public enum Storage: Sendable, Hashable {
    /// In memory.
    ///
    /// The state is lost when the process ends.
    case memory
    /// In an existing folder, with one file per provider.
    case folder(String)
}
