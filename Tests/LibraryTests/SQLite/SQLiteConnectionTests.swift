import Foundation
import LockstepPrimitives
import LockstepSQLite
import Testing

struct SQLiteConnectionTests {
    @Test func everyKindOfValueIsReadAsWritten() throws {
        var connection = try SQLiteConnection(.memory)
        try connection.script("CREATE TABLE t (a, b, c, d, e, f, g)")
        let text = "naïve ' \" \u{0} 👩‍🚀"
        try connection.run(
            "INSERT INTO t VALUES (\(Int64.min), \(1.5), \(text), \([UInt8]([0, 1, 255])), \(true), \(Instant(seconds: 7)), \(nil as String?))"
        )
        let row = try connection.first("SELECT * FROM t") { row throws(SQLiteError) in
            let values: (Int64, Double, String, [UInt8], Bool, Instant, String?) = (
                try row["a"], try row["b"], try row["c"], try row[3], try row[4], try row["f"], try row["g"]
            )
            return values
        }
        let values = try #require(row)
        #expect(values.0 == .min)
        #expect(values.1 == 1.5)
        #expect(values.2 == text)
        #expect(values.3 == [0, 1, 255])
        #expect(values.4)
        #expect(values.5 == Instant(seconds: 7))
        #expect(values.6 == nil)
    }

    @Test func countsTheRunsOfEachStatement() throws {
        var connection = try SQLiteConnection(.memory)
        try connection.script("CREATE TABLE t (a)")
        for number in 1...3 { try connection.run("INSERT INTO t VALUES (\(number))") }
        #expect(try connection.exists("SELECT * FROM t"))
        #expect(connection.runs == ["INSERT INTO t VALUES (?)": 3, "SELECT * FROM t": 1])
    }

    @Test func emptyTextAndEmptyBytesAreNotNull() throws {
        var connection = try SQLiteConnection(.memory)
        let kinds: [String] = try connection.all("SELECT typeof(\("")) UNION ALL SELECT typeof(\([UInt8]()))") {
            row throws(SQLiteError) in try row[0]
        }
        #expect(kinds == ["text", "blob"])
    }

    @Test func valueIsNeverReadAsSQL() throws {
        var connection = try SQLiteConnection(.memory)
        try connection.script("CREATE TABLE users (name TEXT)")
        let name = "x'); DROP TABLE users; --"
        try connection.run("INSERT INTO users VALUES (\(name))")
        #expect(try connection.value("SELECT name FROM users", as: String.self) == name)
    }

    @Test func fragmentsAndListsKeepTheirValuesInOrder() throws {
        let condition: SQL = "id IN (\(list: [1, 2, 3])) AND name = \("a")"
        let statement: SQL = "SELECT * FROM t WHERE \(condition) LIMIT \(5)"
        #expect(statement.text == "SELECT * FROM t WHERE id IN (?, ?, ?) AND name = ? LIMIT ?")
        #expect(statement.values == [.int(1), .int(2), .int(3), .text("a"), .int(5)])
        var connection = try SQLiteConnection(.memory)
        #expect(try !connection.exists("SELECT 1 WHERE 1 IN (\(list: [Int]()))"))
    }

    /// The column order of one row says nothing about the next.
    @Test func columnsAreFoundByNameInEveryOrder() throws {
        var connection = try SQLiteConnection(.memory)
        try connection.script("CREATE TABLE t (a, b, c); INSERT INTO t VALUES ('a', 'b', 'c'), ('a', 'b', 'c'), ('a', 'b', 'c')")
        let orders = [
            ["a", "b", "c"], ["c", "b", "a"], ["a", "a", "c", "a", "b", "b"], [], ["b"], ["c", "a"], ["a", "b", "c"],
        ]
        for order in orders + orders.reversed() {
            var next = 0
            let rows = try connection.all("SELECT * FROM t") { row throws(SQLiteError) in
                next += 1
                // Also in another order for each row of a statement.
                var read: [String] = []
                for name in order.dropFirst(next - 1) + order.prefix(next - 1) { read.append(try row[name]) }
                return read
            }
            #expect(rows.count == 3)
            for (index, row) in rows.enumerated() { #expect(row == Array(order.dropFirst(index) + order.prefix(index))) }
            #expect(throws: SQLiteError.self) {
                try connection.first("SELECT * FROM t") { row throws(SQLiteError) in
                    let (_, missing): (String, String) = (try row["a"], try row["d"])
                    return missing
                }
            }
        }
    }

    @Test func aColumnThatIsMissingOrOfAnotherKindIsAnError() throws {
        var connection = try SQLiteConnection(.memory)
        let missing = #expect(throws: SQLiteError.self) {
            try connection.first("SELECT 1 AS a") { row throws(SQLiteError) -> Int in try row["b"] }
        }
        #expect(missing?.code == .mismatch)
        let other = #expect(throws: SQLiteError.self) {
            try connection.first("SELECT 'x' AS a") { row throws(SQLiteError) -> Int in try row["a"] }
        }
        #expect(other?.code == .mismatch)
        let null = #expect(throws: SQLiteError.self) {
            try connection.first("SELECT NULL AS a") { row throws(SQLiteError) -> String in try row["a"] }
        }
        #expect(null?.code == .mismatch)
    }

    @Test func constraintsAreDistinguished() throws {
        var connection = try SQLiteConnection(.memory)
        try connection.script(
            """
            CREATE TABLE a (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, age INTEGER CHECK (age > 0));
            CREATE TABLE b (a INTEGER REFERENCES a(id));
            INSERT INTO a VALUES (1, 'x', 1);
            """)
        func code(of sql: SQL) -> SQLiteError.Code? {
            do throws(SQLiteError) {
                try connection.run(sql)
                return nil
            } catch { return error.code }
        }
        #expect(code(of: "INSERT INTO a VALUES (2, 'x', 1)") == .constraintUnique)
        #expect(code(of: "INSERT INTO a VALUES (1, 'y', 1)") == .constraintPrimaryKey)
        #expect(code(of: "INSERT INTO a VALUES (2, NULL, 1)") == .constraintNotNull)
        #expect(code(of: "INSERT INTO a VALUES (2, 'y', 0)") == .constraintCheck)
        #expect(code(of: "INSERT INTO b VALUES (7)") == .constraintForeignKey)
        #expect(code(of: "SELECT nothing") == .error)
        #expect(code(of: "INSERT INTO a VALUES (2, 'y', 1)") == nil)
    }

    @Test func numberOfValuesMustMatch() throws {
        var connection = try SQLiteConnection(.memory)
        let error = #expect(throws: SQLiteError.self) { try connection.run("SELECT ?, \(1)") }
        #expect(error?.code == .misuse)
    }

    @Test func failedStatementCanRunAgain() throws {
        var connection = try SQLiteConnection(.memory)
        try connection.script("CREATE TABLE a (id INTEGER PRIMARY KEY)")
        for id in [1, 1, 2] { _ = try? connection.run("INSERT INTO a VALUES (\(id))") }
        #expect(try connection.all("SELECT id FROM a") { row throws(SQLiteError) -> Int in try row[0] } == [1, 2])
        #expect(connection.lastInsertedRow == 2)
    }

    @Test func moreStatementsThanTheCacheHoldsRun() throws {
        var connection = try SQLiteConnection(.memory)
        for number in 0..<600 {
            let sql = SQL(stringLiteral: "SELECT \(number)")
            #expect(try connection.value(sql, as: Int.self) == number)
        }
    }
}
