@_exported public import LockstepSQLite
internal import LockstepSystem
internal import Synchronization

/// The state of one emulator: a SQLite database with one connection, whose prepared statements are kept.
///
/// Calls are synchronous and short, meant for the server's thread and the emulator's own: one at a time has the connection. A
/// call inside another one's body would wait for itself for ever; use the connection that the body is given.
public final class Database: Sendable {
    private let connection: Mutex<SQLiteConnection>
    private let storage: Storage
    private let schema: Schema

    /// Opens the database `name`: makes its tables, or brings those of an earlier build up to date.
    ///
    /// Several processes may do so at the same time: they wait for each other.
    ///
    /// - Parameters:
    ///   - name: The name of the file, without its ending.
    ///   - storage: Where the state is kept.
    ///   - schema: The tables.
    /// - Throws: `SQLiteError`; a `StorageError` where the file is none of its owner's alone.
    public init(_ name: String, in storage: Storage, _ schema: Schema) throws {
        switch storage {
        case .memory:
            var connection = try SQLiteConnection(.memory)
            try schema.open(&connection)
            self.connection = Mutex(connection)
        case .folder(let path):
            self.connection = Mutex(try StateFolder(path).open(name, schema))
        }
        self.storage = storage
        self.schema = schema
    }

    /// Reads.
    public func read<Value: Sendable>(_ body: (inout SQLiteConnection) throws -> Value) throws -> Value {
        try connection.withLock { try body(&$0) }
    }

    /// Does everything in `body` or, when it throws, nothing.
    @discardableResult
    public func write<Value: Sendable>(_ body: (inout SQLiteConnection) throws -> Value) throws -> Value {
        try connection.withLock { try $0.transaction(body) }
    }

    /// Whether the state outlives the process.
    var isPersistent: Bool { storage != .memory }

    /// Deletes every row of every table, and returns the space to the system.
    public func erase() throws { try erase(but: nil) }

    /// The same, in a folder without the rows of those names in one table.
    func erase(but kept: (table: String, names: Set<String>)?) throws {
        switch storage {
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
    /// Deletes every row of every table, in the transaction of the caller.
    ///
    /// - Parameter kept: The names of the rows of one table that stay.
    public mutating func deleteEverything(but kept: (table: String, names: Set<String>)? = nil) throws {
        let tables: [String] = try all(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!'"
        ) { row throws(SQLiteError) in try row[0] }
        try script("PRAGMA defer_foreign_keys = ON")
        for table in tables where table != kept?.table { try script("DELETE FROM \"\(table)\"") }
        if let kept { try run("DELETE FROM \(name: kept.table) WHERE name NOT IN (\(list: kept.names.sorted()))") }
    }
}

/// Where emulators keep their state.
public enum Storage: Sendable, Hashable {
    /// In memory; gone with the process.
    case memory
    /// A file a provider in this folder, which must exist.
    case folder(String)
}
