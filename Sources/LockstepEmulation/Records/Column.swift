internal import LockstepPrimitives

/// A column of a table: its name, the property that has its value, and what SQLite checks.
///
/// Its type and whether it may be `NULL` come from the property. Paths are closures, so that a start makes no key path; and reading and
/// writing rows is inlined where the type of the row is known, because generic code would take most of the time of a small request.
public struct Column<Row: Sendable>: Sendable {
    /// The name, as SQL has it.
    public let name: String
    let declaration: String
    let isKey: Bool
    @usableFromInline let read: @Sendable (inout Row, SQLiteValue) -> Bool
    @usableFromInline let value: @Sendable (Row) -> SQLiteValue

    /// Declares a column.
    ///
    /// - Parameters:
    ///   - name: The name, as SQL has it.
    ///   - path: The property that has the value.
    ///   - rules: What SQLite checks.
    @inlinable public init<Value: ColumnValue>(
        _ name: String, _ path: @autoclosure @escaping @Sendable () -> WritableKeyPath<Row, Value>, _ rules: ColumnRule...
    ) {
        self.init(
            name, Value.self, rules,
            read: { row, stored in
                guard let value = Value(stored) else { return false }
                row[keyPath: path()] = value
                return true
            },
            value: { $0[keyPath: path()].sqliteValue })
    }

    /// Declares a column for a list of texts, as JSON.
    ///
    /// - Parameters:
    ///   - name: The name, as SQL has it.
    ///   - path: The property that has the texts.
    ///   - rules: What SQLite checks.
    @inlinable public init(
        _ name: String, texts path: @autoclosure @escaping @Sendable () -> WritableKeyPath<Row, [String]>, _ rules: ColumnRule...
    ) {
        self.init(
            name, String.self, rules,
            read: { row, stored in
                guard let texts = TextList.read(stored) else { return false }
                row[keyPath: path()] = texts
                return true
            },
            value: { TextList.value($0[keyPath: path()]) })
    }

    /// Declares a column for a text that is `NULL` while it is empty.
    ///
    /// - Parameters:
    ///   - name: The name, as SQL has it.
    ///   - path: The property that has the text.
    ///   - rules: What SQLite checks.
    @inlinable public init(
        _ name: String, emptyAsNull path: @autoclosure @escaping @Sendable () -> WritableKeyPath<Row, String>,
        _ rules: ColumnRule...
    ) {
        self.init(
            name, String?.self, rules,
            read: { row, stored in
                guard let text = String?(stored) else { return false }
                row[keyPath: path()] = text ?? ""
                return true
            },
            value: { $0[keyPath: path()].isEmpty ? .null : .text($0[keyPath: path()]) })
    }

    /// Declares a column that is written for queries, and follows from the others.
    ///
    /// - Parameters:
    ///   - name: The name, as SQL has it.
    ///   - path: The computed property that has the value.
    ///   - rules: What SQLite checks.
    @inlinable public init<Value: ColumnValue>(
        _ name: String, derived path: @autoclosure @escaping @Sendable () -> KeyPath<Row, Value>, _ rules: ColumnRule...
    ) {
        self.init(name, Value.self, rules, read: { _, _ in true }, value: { $0[keyPath: path()].sqliteValue })
    }

    @usableFromInline init<Value: ColumnValue>(
        _ name: String, _ type: Value.Type, _ rules: [ColumnRule],
        read: @escaping @Sendable (inout Row, SQLiteValue) -> Bool, value: @escaping @Sendable (Row) -> SQLiteValue
    ) {
        self.name = name
        isKey = rules.contains { $0.isKey }
        let null = Value.isOptional || isKey ? "" : " NOT NULL"
        declaration = "\(name) \(Value.columnType)\(null)" + rules.reduce(into: "") { $0 += " " + $1.sql }
        self.read = read
        self.value = value
    }
}

/// A list of texts in one column, as JSON.
@usableFromInline enum TextList {
    @usableFromInline static func read(_ stored: SQLiteValue) -> [String]? {
        guard case .text(let text) = stored else { return nil }
        return (try? JSON.parse(text))?.array?.compactMap { $0.string }
    }

    @usableFromInline static func value(_ texts: [String]) -> SQLiteValue {
        .text(JSON.array(texts.map { .string($0) }).text())
    }
}

/// What SQLite checks about a column.
public struct ColumnRule: Sendable {
    let sql: String
    var isKey = false

    /// The column is the primary key.
    public static let key = ColumnRule(sql: "PRIMARY KEY", isKey: true)
    /// No two rows have the same value.
    public static let unique = ColumnRule(sql: "UNIQUE")
    /// Values compare without regard to the case of ASCII letters.
    public static let ignoringCase = ColumnRule(sql: "COLLATE NOCASE")

    /// The value is the key of a row of another table, with which this row goes.
    ///
    /// - Parameter table: The other table, with its column where that is not the primary key: `users (id)`.
    public static func belongs(to table: String) -> ColumnRule { ColumnRule(sql: "REFERENCES \(table) ON DELETE CASCADE") }

    /// The value is the key of a row of another table; when that row goes, the value becomes `NULL`.
    ///
    /// - Parameter table: The other table.
    public static func refers(to table: String) -> ColumnRule { ColumnRule(sql: "REFERENCES \(table) ON DELETE SET NULL") }

    /// The value of rows that a later build finds without it.
    ///
    /// - Parameter value: The value as SQL has it.
    public static func initially(_ value: String) -> ColumnRule { ColumnRule(sql: "DEFAULT \(value)") }
}
