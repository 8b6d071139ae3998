import LockstepPrimitives
internal import LockstepSQLite

/// The rows of the instance inside one transaction.
///
/// It holds the connection during a transaction, so that handlers need not pass it on.
final class Store {
    private var connection: SQLiteConnection?

    private init(_ connection: consuming SQLiteConnection) {
        self.connection = consume connection
    }

    /// Runs `body` on `connection`, which is this store's alone until it returns.
    static func using<Value>(_ connection: inout SQLiteConnection, _ body: (Store) throws -> Value) throws -> Value {
        let store = Store(connection)
        let result = Result { try body(store) }
        connection = store.release()
        return try result.get()
    }

    private func release() -> SQLiteConnection {
        guard let connection = connection.take() else { preconditionFailure("a store is released once, by using(_:_:)") }
        return connection
    }

    /// The first row that meets the condition.
    func find<Record: StoredRecord>(_ type: Record.Type, _ condition: String, _ values: StoredValue...) throws -> Record? {
        try rows(type, condition + " LIMIT 1", values).first
    }

    /// The rows that meet the condition, which may end in an order.
    func all<Record: StoredRecord>(_ type: Record.Type, _ condition: String, _ values: StoredValue...) throws -> [Record] {
        try rows(type, condition, values)
    }

    /// The rows that meet the condition, which may end in an order.
    func rows<Record: StoredRecord>(_ type: Record.Type, _ condition: String, _ values: [StoredValue]) throws -> [Record] {
        let count = Record.columns.count
        let sql = "SELECT \(Record.columns.joined(separator: ", ")) FROM \(Record.table) WHERE \(condition)"
        return try connection?.all(.bound(sql, values)) { row throws(SQLiteError) in
            var columns: [StoredValue] = []
            columns.reserveCapacity(count)
            for index in 0..<count { columns.append(StoredValue(try row[index])) }
            var reader = RowReader(columns)
            return Record(&reader)
        } ?? []
    }

    /// How many rows meet the condition.
    func count<Record: StoredRecord>(_ type: Record.Type, _ condition: String, _ values: StoredValue...) throws -> Int {
        try number("SELECT count(*) FROM \(Record.table) WHERE \(condition)", values)
    }

    /// The first column of the first row, a number.
    func number(_ sql: String, _ values: StoredValue...) throws -> Int {
        try number(sql, values)
    }

    /// The first column of the first row, a number.
    func number(_ sql: String, _ values: [StoredValue]) throws -> Int {
        try connection?.value(.bound(sql, values), as: Int.self) ?? 0
    }

    /// Inserts the row, or replaces the one with its key.
    func save<Record: StoredRecord>(_ record: Record) throws {
        let columns = Record.columns
        let places = Array(repeating: "?", count: columns.count).joined(separator: ", ")
        let changes = columns.dropFirst().map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
        let sql = """
            INSERT INTO \(Record.table) (\(columns.joined(separator: ", "))) VALUES (\(places)) \
            ON CONFLICT (\(columns[0])) DO UPDATE SET \(changes)
            """
        try run(sql, record.stored)
    }

    /// Runs a statement and returns how many rows it changed.
    @discardableResult
    func run(_ sql: String, _ values: StoredValue...) throws -> Int {
        try run(sql, values)
    }

    /// Runs a statement and returns how many rows it changed.
    @discardableResult
    func run(_ sql: String, _ values: [StoredValue]) throws -> Int {
        try connection?.run(.bound(sql, values)) ?? 0
    }
}

extension SQL {
    /// A statement of this module's own text, with a value for each `?` in it.
    fileprivate static func bound(_ text: String, _ values: [StoredValue]) -> SQL {
        var sql: SQL = ""
        for (index, piece) in text.split(separator: "?", omittingEmptySubsequences: false).enumerated() {
            if index > 0 { sql += "\(values.indices.contains(index - 1) ? values[index - 1].sqliteValue : .null)" }
            sql += SQL(stringLiteral: String(piece))
        }
        return sql
    }
}

extension StoredValue {
    fileprivate var sqliteValue: SQLiteValue {
        switch self {
        case .null: .null
        case .integer(let number): .int(number)
        case .text(let text): .text(text)
        }
    }

    fileprivate init(_ value: SQLiteValue) {
        switch value {
        case .int(let number): self = .integer(number)
        case .text(let text): self = .text(text)
        case .null, .double, .blob: self = .null
        }
    }
}
