public import LockstepEmulation

/// A description of the tables in a database.
///
/// A test can compare the descriptions of two versions.
public struct TableLayout: Sendable, Hashable {
    /// One line for each column, index and trigger, such as `users.email TEXT`.
    public let lines: Set<String>
    /// The names of the tables.
    public let tables: Set<String>

    /// Describes the tables that a schema creates in a new database.
    ///
    /// - Throws: The error of SQLite if it rejects a statement of the schema.
    public init(new schema: Schema) throws {
        self = try TableLayout(schema, after: nil)
    }

    /// Creates the tables of the first version, updates them with a schema, and describes the result.
    ///
    /// - Parameters:
    ///   - first: The statements that created the tables of the first version.
    /// - Throws: The error of SQLite if it rejects a statement of the schema.
    public init(_ schema: Schema, from first: String) throws {
        self = try TableLayout(schema, after: first)
    }

    private init(_ schema: Schema, after first: String?) throws {
        var connection = try SQLiteConnection(.memory)
        if let first { try connection.script(first + "; PRAGMA user_version = 1") }
        try schema.open(&connection)
        // The description omits whether a column may be NULL, and its default. SQLite cannot change them in a table with rows.
        let columns: [String] = try connection.all(
            """
            SELECT t.name || '.' || c.name || ' ' || c.type || ' ' || c.pk FROM sqlite_schema t, pragma_table_xinfo(t.name) c
            WHERE t.type = 'table'
            """
        ) { row throws(SQLiteError) in try row[0] }
        let keys: [String] = try connection.all(
            """
            SELECT t.name || '.' || k."from" || ' belongs to ' || k."table" || ' ' || k.on_delete
            FROM sqlite_schema t, pragma_foreign_key_list(t.name) k WHERE t.type = 'table'
            """
        ) { row throws(SQLiteError) in try row[0] }
        let unique: [String] = try connection.all(
            """
            SELECT t.name || ' unique ' || (SELECT group_concat(i.name) FROM pragma_index_info(l.name) i)
            FROM sqlite_schema t, pragma_index_list(t.name) l WHERE t.type = 'table' AND l."unique" = 1 AND l.origin = 'u'
            """
        ) { row throws(SQLiteError) in try row[0] }
        let others: [String] = try connection.all(
            "SELECT sql FROM sqlite_schema WHERE type <> 'table' AND sql IS NOT NULL"
        ) { row throws(SQLiteError) in
            let sql: String = try row[0]
            return sql.filter { !$0.isWhitespace && $0 != "\"" }
        }
        lines = Set(columns + keys + unique + others)
        let names: [String] = try connection.all(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!'"
        ) { row throws(SQLiteError) in try row[0] }
        tables = Set(names)
    }
}
