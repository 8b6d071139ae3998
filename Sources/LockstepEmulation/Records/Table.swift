/// A table: its name, its columns, what holds between them, and its indexes.
public struct Table<Row: Sendable>: Sendable {
    /// The name, as SQL has it.
    public let name: String
    /// The columns, in their order.
    public let columns: [Column<Row>]
    /// The statements that make the table and its indexes.
    public let definition: String

    let selection: SQL
    let counting: SQL
    let deletion: SQL
    private let insertion: String
    private let replacement: String
    private let change: String
    private let condition: String
    /// The places of the columns of the key.
    private let keys: [Int]

    /// Declares a table.
    ///
    /// - Parameters:
    ///   - name: The name, as SQL has it.
    ///   - columns: The columns; the first one is the key of ``SQLiteConnection/save(_:)`` where `key` names no others.
    ///   - key: The columns of a primary key of several columns.
    ///   - number: The name of the primary key of a table whose rows are numbered in the order of their creation: a column besides `columns`.
    ///   - rules: What SQLite checks between columns: `UNIQUE (a, b)`.
    ///   - indexes: The indexes, by name: what stands behind `ON table`, in brackets or not.
    ///   - isKeyed: Whether the rows are stored by their key (`WITHOUT ROWID`).
    ///   - more: Further statements, such as triggers.
    public init(
        _ name: String, _ columns: [Column<Row>], key: [String] = [], numbered number: String? = nil, rules: [String] = [],
        indexes: [Index] = [], isKeyed: Bool = false, more: String = ""
    ) {
        self.name = name
        self.columns = columns
        let key = key.isEmpty ? [columns[0].name] : key
        var parts = (number.map { ["\($0) INTEGER PRIMARY KEY"] } ?? []) + columns.map(\.declaration)
        if number == nil, !columns.contains(where: \.isKey) { parts.append("PRIMARY KEY (\(key.joined(separator: ", ")))") }
        parts += rules
        definition =
            "CREATE TABLE \(name) (\(parts.joined(separator: ", ")))\(isKeyed ? " WITHOUT ROWID" : "");\n"
            + indexes.map { $0.definition(on: name) + ";\n" }.joined() + more
        let names = columns.map(\.name).joined(separator: ", ")
        selection = SQL(stringLiteral: "SELECT \(names) FROM \(name)")
        counting = SQL(stringLiteral: "SELECT count(*) FROM \(name)")
        deletion = SQL(stringLiteral: "DELETE FROM \(name)")
        insertion = "INSERT INTO \(name) (\(names)) VALUES ("
        let others = columns.map(\.name).filter { !key.contains($0) }
        replacement =
            ") ON CONFLICT (\(key.joined(separator: ", "))) DO UPDATE SET "
            + others.map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
        change = "UPDATE \(name) SET (\(others.joined(separator: ", "))) = ("
        condition = ") WHERE (\(key.joined(separator: ", "))) = ("
        keys = columns.indices.filter { key.contains(columns[$0].name) }
    }

    /// Reads a row of ``selection``.
    func read(_ row: borrowing SQLiteRow) throws(SQLiteError) -> Row where Row: Record {
        var record = Row()
        for index in columns.indices {
            let value: SQLiteValue = try row[index]
            guard columns[index].read(&record, value) else {
                throw SQLiteError(code: .mismatch, message: "column \(name).\(columns[index].name) has a value of another kind")
            }
        }
        return record
    }

    func saving(_ row: Row) -> SQL { inserting(row, end: replacement) }

    func inserting(_ row: Row) -> SQL { inserting(row, end: ")") }

    private func inserting(_ row: Row, end: String) -> SQL {
        var statement = SQL(stringLiteral: insertion)
        statement += "\(list: columns.map { $0.value(row) })"
        statement += SQL(stringLiteral: end)
        return statement
    }

    func updating(_ row: Row) -> SQL {
        var statement = SQL(stringLiteral: change)
        statement += "\(list: columns.indices.filter { !keys.contains($0) }.map { columns[$0].value(row) })"
        statement += SQL(stringLiteral: condition)
        statement += "\(list: keys.map { columns[$0].value(row) })"
        statement += ")"
        return statement
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
    ///   - name: The name, as SQL has it.
    ///   - columns: The columns, with commas between them.
    ///   - isUnique: Whether no two rows have the same values.
    ///   - condition: Which rows are in the index; `nil` for all.
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
    /// Takes the name of a column, or an operator, as it is.
    ///
    /// - Parameter text: Text of this program, never of a request.
    public mutating func appendInterpolation(name text: String) {
        appendInterpolation(SQL(stringLiteral: text))
    }
}
