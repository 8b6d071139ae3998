internal import CLockstepSQLite

// Sendable is unchecked because the handle and the statements are classes. Proof: neither of them leaves this type. The type
// cannot be copied and all its methods are mutating, so the language allows one thread at a time. SQLite's multi-thread mode
// (SQLITE_OPEN_NOMUTEX) requires exactly that.

/// A connection to a database, with its prepared statements.
///
/// A connection cannot be copied, and only one thread at a time can use it. Keep the connection in a `Mutex`.
///
/// Foreign keys are checked. A database in a file is in WAL mode, so readers and the writer do not block each other. If the
/// process is killed, no committed change is lost. A power failure can lose the last changes, but never damages the database.
public struct SQLiteConnection: ~Copyable, @unchecked Sendable {
    private let handle: SQLiteHandle
    private var statements: [String: SQLiteStatement] = [:]
    var depth = 0

    /// The maximum number of prepared statements.
    ///
    /// If there are more, all are discarded, and prepared again when they are needed.
    private static let capacity = 256

    /// Opens a database.
    ///
    /// - Parameters:
    ///   - location: Where the database is.
    ///   - busyTimeout: The longest time to wait while another connection has the lock; at least a millisecond.
    /// - Throws: ``SQLiteError`` with `cannotOpen`, `notADatabase` or `readOnly`.
    public init(_ location: SQLiteLocation, busyTimeout: Duration = .seconds(5)) throws(SQLiteError) {
        let handle = try SQLiteHandle(location, busyTimeout: busyTimeout)
        if case .file = location { try handle.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL") }
        try handle.execute("PRAGMA foreign_keys = ON")
        self.handle = handle
    }

    /// Runs several statements without values, separated by `;`.
    ///
    /// Use this method to create tables and to change settings.
    ///
    /// - Throws: ``SQLiteError``.
    public mutating func script(_ text: String) throws(SQLiteError) {
        statements.removeAll()
        try handle.execute(text)
    }

    /// Runs a statement.
    ///
    /// - Returns: The number of changed rows.
    /// - Throws: ``SQLiteError``.
    @discardableResult
    public mutating func run(_ sql: SQL) throws(SQLiteError) -> Int {
        let statement = try prepared(sql)
        defer { statement.reset() }
        while try step(statement) {}
        return handle.changes
    }

    /// Returns the first row of a result.
    ///
    /// - Parameters:
    ///   - sql: The statement.
    ///   - read: Converts a row.
    /// - Returns: The converted row; `nil` if the result has no rows.
    /// - Throws: ``SQLiteError``.
    public mutating func first<Value>(
        _ sql: SQL, _ read: (borrowing SQLiteRow) throws(SQLiteError) -> Value
    ) throws(SQLiteError) -> Value? {
        let statement = try prepared(sql)
        defer { statement.reset() }
        return try step(statement) ? try read(SQLiteRow(statement)) : nil
    }

    /// Returns all rows of a result, in order.
    ///
    /// - Parameters:
    ///   - sql: The statement.
    ///   - read: Converts a row.
    /// - Returns: The converted rows.
    /// - Throws: ``SQLiteError``.
    public mutating func all<Value>(
        _ sql: SQL, _ read: (borrowing SQLiteRow) throws(SQLiteError) -> Value
    ) throws(SQLiteError) -> [Value] {
        let statement = try prepared(sql)
        defer { statement.reset() }
        var values: [Value] = []
        while try step(statement) { values.append(try read(SQLiteRow(statement))) }
        return values
    }

    /// Returns the value in the first column of the first row.
    ///
    /// - Parameters:
    ///   - sql: The statement.
    /// - Returns: The value; `nil` if the result has no rows.
    /// - Throws: ``SQLiteError``.
    public mutating func value<Value: SQLiteConvertible>(_ sql: SQL, as type: Value.Type = Value.self) throws(SQLiteError)
        -> Value?
    {
        try first(sql) { row throws(SQLiteError) in try row[0] }
    }

    /// Returns whether the result of a statement has a row.
    ///
    /// - Returns: Whether there is a row.
    /// - Throws: ``SQLiteError``.
    public mutating func exists(_ sql: SQL) throws(SQLiteError) -> Bool {
        try first(sql) { _ throws(SQLiteError) in true } ?? false
    }

    /// The number of rows changed since the connection was opened.
    public var allChanges: Int { handle.allChanges }

    /// The number of runs of each prepared statement, by its SQL text.
    public var runs: [String: Int] { statements.mapValues(\.runs) }

    /// The row id of the last inserted row.
    public var lastInsertedRow: Int64 {
        mutating get { handle.lastInsertedRow }
    }

    private mutating func prepared(_ sql: SQL) throws(SQLiteError) -> SQLiteStatement {
        let statement: SQLiteStatement
        if let known = statements[sql.text] {
            statement = known
        } else {
            guard let new = SQLiteStatement(sql.text, on: handle) else { throw handle.error(handle.lastCode, in: sql.text) }
            if statements.count >= Self.capacity { statements.removeAll(keepingCapacity: true) }
            statements[sql.text] = new
            statement = new
        }
        guard statement.places == sql.values.count else {
            throw SQLiteError(
                code: .misuse,
                message: "the statement has \(statement.places) parameters, but \(sql.values.count) values were given",
                statement: sql.text)
        }
        for (index, value) in sql.values.enumerated() {
            let result = statement.bind(value, at: index)
            if result != SQLITE_OK { throw handle.error(result, in: sql.text) }
        }
        return statement
    }

    private func step(_ statement: SQLiteStatement) throws(SQLiteError) -> Bool {
        let result = statement.step()
        switch result {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default: throw handle.error(result, in: statement.text)
        }
    }
}
