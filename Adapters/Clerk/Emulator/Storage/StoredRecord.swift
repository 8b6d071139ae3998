internal import LockstepPrimitives
internal import LockstepSQLite

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A row of one table; the first column is the key.
protocol StoredRecord {
    static var table: String { get }
    /// The columns, in the order in which ``stored`` has their values.
    static var columns: [String] { get }

    init(row: borrowing SQLiteRow) throws(SQLiteError)
    var stored: [any SQLiteConvertible] { get }
}

extension SQLiteConnection {
    /// The first row that meets the condition.
    mutating func find<Record: StoredRecord>(_ type: Record.Type, _ condition: SQL) throws -> Record? {
        try first("SELECT * FROM \(name: Record.table) WHERE \(condition) LIMIT 1", Record.init(row:))
    }

    /// The rows that meet the condition, which may end in an order.
    mutating func all<Record: StoredRecord>(_ type: Record.Type, _ condition: SQL) throws -> [Record] {
        try all("SELECT * FROM \(name: Record.table) WHERE \(condition)", Record.init(row:))
    }

    /// How many rows meet the condition.
    mutating func count<Record: StoredRecord>(_ type: Record.Type, _ condition: SQL) throws -> Int {
        try value("SELECT count(*) FROM \(name: Record.table) WHERE \(condition)") ?? 0
    }

    /// Inserts the row, or replaces the one with its key.
    mutating func save<Record: StoredRecord>(_ record: Record) throws {
        let columns = Record.columns
        let changes = columns.dropFirst().map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
        try run(
            """
            INSERT INTO \(name: Record.table) (\(name: columns.joined(separator: ", "))) \
            VALUES (\(list: record.stored.map(\.sqliteValue))) \
            ON CONFLICT (\(name: columns[0])) DO UPDATE SET \(name: changes)
            """)
    }
}

extension SQL.StringInterpolation {
    /// Takes names of this module's own tables and columns as they are.
    mutating func appendInterpolation(name text: String) {
        appendInterpolation(SQL(stringLiteral: text))
    }
}

/// A text column that holds JSON.
struct StoredJSON: SQLiteConvertible {
    let value: JSON

    init(_ value: JSON) { self.value = value }

    init?(_ value: SQLiteValue) {
        guard case .text(let text) = value, let json = try? JSON.parse(text) else { return nil }
        self.value = json
    }

    var sqliteValue: SQLiteValue { .text(value.text()) }

    var object: JSONObject { value.object ?? [:] }
    var texts: [String] { value.array?.compactMap(\.string) ?? [] }
}

/// A value stored in one column as JSON text, which only this module reads.
protocol JSONColumn: Codable {}

extension JSONColumn {
    /// The value that ``stored`` wrote; `nil` where there is none.
    init?(stored text: String?) {
        guard let text, let value = try? JSONDecoder().decode(Self.self, from: Data(text.utf8)) else { return nil }
        self = value
    }

    /// The value as text.
    var stored: String? {
        guard let data = try? JSONEncoder().encode(self) else { return nil }
        return String(decoding: data, as: UTF8.self)
    }
}
