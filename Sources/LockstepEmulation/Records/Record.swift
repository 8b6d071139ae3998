/// A row of a table.
///
/// The type declares its columns once. From the declaration, the program can make the table, and read and write rows.
///
///     struct Note: Record {
///         var id = ""
///         var text = ""
///         var readAt: Instant?
///         static let table = Table<Note>(
///             "notes",
///             [Column("id", \.id, .key), Column("text", \.text), Column("read_at", \.readAt)],
///             indexes: [Index("notes_by_time", on: "read_at")])
///     }
///     try context.db.save(note)
///     let unread = try context.db.all(Note.self, "read_at IS NULL ORDER BY id")
///
/// ``SQLiteConnection/save(_:)`` replaces the row with the same value in the first column, unless the table declares another key.
public protocol Record: Sendable {
    /// Creates a row with default values.
    ///
    /// The values of its columns are set afterwards.
    init()

    /// The table and its columns.
    static var table: Table<Self> { get }
}

extension SQLiteConnection {
    /// Returns the first row for which a condition is true.
    ///
    /// - Parameters:
    ///   - condition: The SQL after `WHERE`. The condition may end with `ORDER BY`.
    /// - Returns: The row; `nil` if no row meets the condition.
    /// - Throws: `SQLiteError`.
    @inlinable public mutating func find<Row: Record>(_ type: Row.Type, _ condition: SQL) throws(SQLiteError) -> Row? {
        let table = Row.table
        return try first(table.statements.selecting(condition, limit: " LIMIT 1")) { row throws(SQLiteError) in
            try table.read(row)
        }
    }

    /// Returns all rows for which a condition is true.
    ///
    /// - Parameters:
    ///   - condition: The SQL after `WHERE`. The condition may end with `ORDER BY` and `LIMIT`.
    /// - Returns: The rows, in the order that the condition gives.
    /// - Throws: `SQLiteError`.
    @inlinable public mutating func all<Row: Record>(_ type: Row.Type, _ condition: SQL) throws(SQLiteError) -> [Row] {
        let table = Row.table
        return try all(table.statements.selecting(condition)) { row throws(SQLiteError) in try table.read(row) }
    }

    /// Returns the number of rows for which a condition is true.
    ///
    /// - Parameters:
    ///   - condition: The SQL after `WHERE`.
    /// - Throws: `SQLiteError`.
    @inlinable public mutating func count<Row: Record>(_ type: Row.Type, _ condition: SQL) throws(SQLiteError) -> Int {
        try value("\(Row.table.statements.counting) WHERE \(condition)") ?? 0
    }

    /// Inserts a row.
    ///
    /// If a row with the same key exists, it is replaced.
    ///
    /// - Throws: `SQLiteError`.
    @inlinable public mutating func save<Row: Record>(_ row: Row) throws(SQLiteError) {
        let table = Row.table
        try run(SQL(table.statements.replacement, values: table.values(of: row)))
    }

    /// Inserts a row.
    ///
    /// - Throws: `SQLiteError` if a row with the same key exists.
    @inlinable public mutating func insert<Row: Record>(_ row: Row) throws(SQLiteError) {
        let table = Row.table
        try run(SQL(table.statements.insertion, values: table.values(of: row)))
    }

    /// Replaces the row with the same key.
    ///
    /// If no row has this key, nothing happens.
    ///
    /// - Throws: `SQLiteError`.
    @inlinable public mutating func update<Row: Record>(_ row: Row) throws(SQLiteError) {
        let table = Row.table
        try run(SQL(table.statements.change, values: table.changedValues(of: row)))
    }

    /// Deletes all rows for which a condition is true.
    ///
    /// - Parameters:
    ///   - condition: The SQL after `WHERE`.
    /// - Throws: `SQLiteError`.
    @inlinable public mutating func delete<Row: Record>(_ type: Row.Type, _ condition: SQL) throws(SQLiteError) {
        try run("\(Row.table.statements.deletion) WHERE \(condition)")
    }
}

extension SQL {
    /// Returns the condition that one of some columns contains a text.
    ///
    /// ASCII letters match in upper and lower case. A long text costs no more time than a short one. With `LIKE`, the time for a
    /// row would grow with the length of the text.
    ///
    /// - Parameters:
    ///   - columns: The columns, or other expressions.
    /// - Returns: The condition, in parentheses.
    public static func contains(_ text: String, in columns: SQL...) -> SQL {
        var condition: SQL = "("
        for (index, column) in columns.enumerated() {
            condition += "\(index == 0 ? "" : " OR " as SQL)instr(lower(\(column)), lower(\(text)))"
        }
        return condition + ")"
    }
}
