import Foundation
import LockstepPrimitives
import LockstepSQLite
import Testing

struct SQLiteTransactionTests {
    struct Stop: Error {}

    private func counting() throws -> SQLiteConnection {
        var connection = try SQLiteConnection(.memory)
        try connection.script("CREATE TABLE a (id INTEGER PRIMARY KEY)")
        return connection
    }

    @Test func throwingTransactionIsRolledBack() throws {
        var connection = try counting()
        #expect(throws: Stop.self) {
            try connection.transaction { connection in
                try connection.run("INSERT INTO a VALUES (1)")
                throw Stop()
            }
        }
        #expect(try connection.value("SELECT count(*) FROM a", as: Int.self) == 0)
        try connection.transaction { try $0.run("INSERT INTO a VALUES (1)") }
        #expect(try connection.value("SELECT count(*) FROM a", as: Int.self) == 1)
    }

    @Test func innerTransactionIsRolledBackAlone() throws {
        var connection = try counting()
        try connection.transaction { connection in
            try connection.run("INSERT INTO a VALUES (1)")
            _ = try? connection.transaction { connection in
                try connection.run("INSERT INTO a VALUES (2)")
                throw Stop()
            }
            try connection.transaction { try $0.run("INSERT INTO a VALUES (3)") }
        }
        #expect(try connection.all("SELECT id FROM a") { row throws(SQLiteError) -> Int in try row[0] } == [1, 3])
    }

    @Test func lockOfAnotherConnectionIsReportedAfterAWait() throws {
        let path = NSTemporaryDirectory() + "lockstep-busy-\(SystemRandomness().uuid()).sqlite"
        defer { for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) } }
        var one = try SQLiteConnection(.file(path))
        try one.script("CREATE TABLE a (id)")
        var other = try SQLiteConnection(.file(path), busyTimeout: .milliseconds(1))
        try one.run("BEGIN IMMEDIATE")
        let error = #expect(throws: SQLiteError.self) { try other.run("INSERT INTO a VALUES (1)") }
        #expect(error?.code == .busy)
        try one.run("COMMIT")
        try other.run("INSERT INTO a VALUES (1)")
    }

    @Test func fileThatIsNotADatabaseIsRejected() throws {
        let path = NSTemporaryDirectory() + "lockstep-text-\(SystemRandomness().uuid()).sqlite"
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data(repeating: 65, count: 4096).write(to: URL(fileURLWithPath: path))
        let error = #expect(throws: SQLiteError.self) { _ = try SQLiteConnection(.file(path)) }
        #expect(error?.code == .notADatabase)
        let missing = #expect(throws: SQLiteError.self) { _ = try SQLiteConnection(.readOnly(path + ".none")) }
        #expect(missing?.code == .cannotOpen)
    }
}
