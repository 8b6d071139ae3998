internal import LockstepPrimitives

/// A column of a table: its name, the property that stores its value, and its constraints.
///
/// The property decides the type of the column, and whether it may be `NULL`.
///
/// Key paths are wrapped in closures, so that the program creates no key paths when it starts. Reading and writing rows is inlined,
/// because generic code would take most of the time of a small request.
public struct Column<Row: Sendable>: Sendable {
    /// The SQL name.
    public let name: String
    let declaration: String
    let isKey: Bool
    @usableFromInline let read: @Sendable (inout Row, SQLiteValue) -> Bool
    @usableFromInline let value: @Sendable (Row) -> SQLiteValue

    /// Declares a column.
    ///
    /// - Parameters:
    ///   - name: The SQL name.
    ///   - path: The property that stores the value.
    ///   - rules: The constraints of the column.
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

    /// Declares a column for a list of strings, which are stored as JSON.
    ///
    /// - Parameters:
    ///   - name: The SQL name.
    ///   - path: The property that stores the strings.
    ///   - rules: The constraints of the column.
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

    /// Declares a column for a string; an empty string is stored as `NULL`.
    ///
    /// - Parameters:
    ///   - name: The SQL name.
    ///   - path: The property that stores the string.
    ///   - rules: The constraints of the column.
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

    /// Declares a column with a value that is computed from other properties, so that queries can use the value.
    ///
    /// - Parameters:
    ///   - name: The SQL name.
    ///   - rules: The constraints of the column.
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

/// A list of strings in one column, as JSON.
@usableFromInline enum TextList {
    @usableFromInline static func read(_ stored: SQLiteValue) -> [String]? {
        guard case .text(let text) = stored else { return nil }
        return (try? JSON.parse(text))?.array?.compactMap { $0.string }
    }

    @usableFromInline static func value(_ texts: [String]) -> SQLiteValue {
        .text(JSON.array(texts.map { .string($0) }).text())
    }
}

/// A constraint of a column.
public struct ColumnRule: Sendable {
    let sql: String
    var isKey = false

    /// The column is the primary key.
    public static let key = ColumnRule(sql: "PRIMARY KEY", isKey: true)
    /// No two rows have the same value in this column.
    public static let unique = ColumnRule(sql: "UNIQUE")
    /// Upper and lower case of ASCII letters make no difference in this column.
    public static let ignoringCase = ColumnRule(sql: "COLLATE NOCASE")

    /// Returns a foreign key.
    ///
    /// If the other row is deleted, this row is deleted, too.
    ///
    /// - Parameter table: The other table. If the other column is not the primary key, add its name: `users (id)`.
    /// - Returns: The constraint.
    public static func belongs(to table: String) -> ColumnRule { ColumnRule(sql: "REFERENCES \(table) ON DELETE CASCADE") }

    /// Returns a foreign key.
    ///
    /// If the other row is deleted, the column becomes `NULL`.
    ///
    /// - Returns: The constraint.
    public static func refers(to table: String) -> ColumnRule { ColumnRule(sql: "REFERENCES \(table) ON DELETE SET NULL") }

    /// Returns a rule that sets the column's value in rows that were stored before the column existed.
    ///
    /// - Returns: The constraint.
    public static func initially(_ value: String) -> ColumnRule { ColumnRule(sql: "DEFAULT \(value)") }
}
