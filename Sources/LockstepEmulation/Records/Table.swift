/// A table: its name, its columns, its constraints, and its indexes.
public struct Table<Row: Sendable>: Sendable {
    /// The SQL name.
    public let name: String
    /// The columns, in order.
    public let columns: [Column<Row>]
    /// The SQL statements that make the table and its indexes.
    public let definition: String

    @usableFromInline let statements: TableStatements

    /// Declares a table.
    ///
    /// - Parameters:
    ///   - name: The SQL name.
    ///   - columns: The columns. ``SQLiteConnection/save(_:)`` uses the first column as the key, unless `key` names other columns.
    ///   - key: The columns of the primary key, if there are several.
    ///   - number: The name of an additional column that numbers the rows in the order in which they were inserted.
    ///     The additional column becomes the primary key.
    ///   - rules: Constraints on several columns, such as `UNIQUE (a, b)`.
    ///   - hasNoRowID: Whether the table is declared `WITHOUT ROWID`.
    ///   - more: Further SQL statements, such as triggers.
    public init(
        _ name: String, _ columns: [Column<Row>], key: [String] = [], numbered number: String? = nil, rules: [String] = [],
        indexes: [Index] = [], isKeyed hasNoRowID: Bool = false, more: String = ""
    ) {
        self.name = name
        self.columns = columns
        var names: [String] = [], declarations: [String] = [], isKeyed = false
        for column in columns {
            names.append(column.name)
            declarations.append(column.declaration)
            if column.isKey { isKeyed = true }
        }
        let key = key.isEmpty ? [names[0]] : key
        if let number { declarations.insert("\(number) INTEGER PRIMARY KEY", at: 0) }
        if number == nil, !isKeyed { declarations.append("PRIMARY KEY (\(key.joined(separator: ", ")))") }
        let parts = (declarations + rules).joined(separator: ", ")
        let indexes = indexes.reduce(into: "") { $0 += $1.definition(on: name) + ";\n" }
        definition = "CREATE TABLE \(name) (\(parts))\(hasNoRowID ? " WITHOUT ROWID" : "");\n\(indexes)\(more)"
        statements = TableStatements(of: name, columns: names, key: key)
    }

    /// Reads a row of the table.
    @inlinable func read(_ row: borrowing SQLiteRow) throws(SQLiteError) -> Row where Row: Record {
        var record = Row()
        for index in 0..<columns.count {
            let value: SQLiteValue = try row[index]
            guard columns[index].read(&record, value) else { throw mismatch(index) }
        }
        return record
    }

    @usableFromInline func mismatch(_ index: Int) -> SQLiteError {
        SQLiteError(code: .mismatch, message: "column \(name).\(columns[index].name) has a value of the wrong type")
    }

    /// Returns the values of a row, in the order of the columns.
    @inlinable func values(of row: Row) -> [SQLiteValue] {
        var values: [SQLiteValue] = []
        values.reserveCapacity(columns.count)
        for index in 0..<columns.count { values.append(columns[index].value(row)) }
        return values
    }

    /// Returns the values of a changed row: first the values that can change, then the values of the key.
    @inlinable func changedValues(of row: Row) -> [SQLiteValue] {
        var values: [SQLiteValue] = []
        values.reserveCapacity(columns.count)
        for index in statements.changedOrder { values.append(columns[index].value(row)) }
        return values
    }
}

/// The texts of a table's SQL statements, with a `?` for each value.
@usableFromInline struct TableStatements: Sendable {
    private let selection: String
    @usableFromInline let counting: SQL
    @usableFromInline let deletion: SQL
    @usableFromInline let insertion: String
    /// The statement that inserts a row, and replaces the row with the same key.
    @usableFromInline let replacement: String
    @usableFromInline let change: String
    /// The positions of the columns in ``change``.
    @usableFromInline let changedOrder: [Int]

    init(of table: String, columns: [String], key: [String]) {
        func list(_ texts: [String]) -> String { texts.joined(separator: ", ") }
        func places(_ texts: [String]) -> String { list(texts.map { _ in "?" }) }
        let keys = columns.indices.filter { key.contains(columns[$0]) }
        let others = columns.indices.filter { !key.contains(columns[$0]) }
        let names = list(columns), changed = others.map { columns[$0] }
        selection = "SELECT \(names) FROM \(table) WHERE "
        counting = SQL(stringLiteral: "SELECT count(*) FROM \(table)")
        deletion = SQL(stringLiteral: "DELETE FROM \(table)")
        insertion = "INSERT INTO \(table) (\(names)) VALUES (\(places(columns)))"
        let replaced = list(changed.map { "\($0) = excluded.\($0)" })
        replacement = "\(insertion) ON CONFLICT (\(list(key))) DO UPDATE SET \(replaced)"
        change = "UPDATE \(table) SET (\(list(changed))) = (\(places(changed))) WHERE (\(list(key))) = (\(places(key)))"
        changedOrder = others + keys
    }

    /// Returns the statement that selects the rows for which a condition is true.
    ///
    /// The text is built in one step.
    @usableFromInline func selecting(_ condition: SQL, limit: String = "") -> SQL {
        var text = ""
        text.reserveCapacity(selection.utf8.count + condition.text.utf8.count + limit.utf8.count)
        text += selection
        text += condition.text
        text += limit
        return SQL(text, values: condition.values)
    }
}

/// An index of a table.
public struct Index: Sendable {
    let name: String
    let columns: String
    let isUnique: Bool
    let condition: String?

    /// Declares an index.
    ///
    /// - Parameters:
    ///   - name: The SQL name.
    ///   - columns: The columns, separated by commas.
    ///   - isUnique: Whether the values in these columns must be unique.
    ///   - condition: The SQL condition for the rows in the index; `nil` for all rows.
    public init(_ name: String, on columns: String, isUnique: Bool = false, where condition: String? = nil) {
        self.name = name
        self.columns = columns
        self.isUnique = isUnique
        self.condition = condition
    }

    func definition(on table: String) -> String {
        "CREATE \(isUnique ? "UNIQUE " : "")INDEX \(name) ON \(table) (\(columns))" + (condition.map { " WHERE \($0)" } ?? "")
    }
}

extension SQL.StringInterpolation {
    /// Inserts the name of a column or an operator into SQL, without quotes.
    ///
    /// - Parameter text: The name or operator. The text must come from the program's code, never from a request.
    public mutating func appendInterpolation(name text: String) {
        appendInterpolation(SQL(stringLiteral: text))
    }
}
