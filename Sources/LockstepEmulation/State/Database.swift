public import LockstepSQLite
internal import Synchronization

/// The state of one emulator: a SQLite database with one connection, whose prepared statements are kept.
///
/// Calls are synchronous and short, meant for the server's thread and the emulator's own: one at a time has the connection. A
/// call inside another one's body would wait for itself for ever; use the connection that the body is given.
public final class Database: Sendable {
    private let connection: Mutex<SQLiteConnection>

    /// Opens the database `name` and brings its schema up to the last of `schema`'s steps.
    ///
    /// - Parameter schema: scripts that are run once each, in order; later versions add steps at the end.
    /// - Throws: `SQLiteError`.
    public init(_ name: String, in storage: Storage, schema: [String]) throws {
        var connection =
            switch storage {
            case .memory: try SQLiteConnection(.memory)
            case .folder(let path): try SQLiteConnection(.file(path + "/" + name + ".sqlite"))
            }
        try connection.migrate(schema)
        self.connection = Mutex(connection)
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

    /// Deletes every row of every table.
    public func erase() throws {
        try write { connection in
            let tables: [String] = try connection.all(
                "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!'"
            ) { row throws(SQLiteError) in try row[0] }
            try connection.script("PRAGMA defer_foreign_keys = ON")
            for table in tables { try connection.script("DELETE FROM \"\(table)\"") }
        }
    }
}
