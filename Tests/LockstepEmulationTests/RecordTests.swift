import Foundation
import LockstepEmulation
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

/// A row with a column of each kind.
private struct Note: Record, Equatable {
    struct Place: JSONColumn, Equatable {
        var page: Int
    }

    enum Color: String, ColumnValue {
        case red, blue
    }

    var id = ""
    var title: String?
    var subtitle = ""
    var stars = 0
    var isOpen = false
    var color = Color.red
    var tags: [String] = []
    var details: JSONObject = [:]
    var place: Place?
    var bytes: [UInt8] = []
    var key: Secret?
    var readAt: Instant?

    static let table = Table<Note>(
        "notes",
        [
            Column("id", \.id, .key), Column("title", \.title, .unique, .ignoringCase),
            Column("subtitle", \.subtitle),
            Column("stars", \.stars), Column("open", \.isOpen), Column("color", \.color, .initially("'red'")),
            Column("tags", texts: \.tags), Column("details", \.details), Column("place", \.place), Column("bytes", \.bytes),
            Column("key", \.key), Column("read_at", \.readAt),
        ],
        indexes: [Index("notes_unread", on: "stars", where: "read_at IS NULL")])
}

/// A row whose key has two columns, of a table with a foreign key.
private struct Mark: Record, Equatable {
    var note = ""
    var reader = ""
    var count = 0

    static let table = Table<Mark>(
        "marks",
        [Column("note", \.note, .belongs(to: "notes")), Column("reader", \.reader), Column("count", \.count)],
        key: ["note", "reader"], isKeyed: true)
}

/// A row of a numbered table, with an optional text and a computed column.
private struct Person: Record, Equatable {
    var id = ""
    var email = ""
    var name = ""
    var lowered: String { name.lowercased() }

    static let table = Table<Person>(
        "people",
        [
            Column("id", \.id, .unique), Column("email", emptyAsNull: \.email, .unique), Column("name", \.name),
            Column("lowered", derived: \.lowered),
        ], numbered: "row", rules: ["UNIQUE (lowered)"])
}

@Suite("Records", .limitedConcurrency)
struct RecordTests {
    private let database: Database

    init() throws {
        database = try Database(
            "records", in: .memory, Schema([Note.table.definition, Mark.table.definition, Person.table.definition]))
    }

    private static let full = Note(
        id: "a", title: "Title", subtitle: "under it", stars: 3, isOpen: true, color: .blue, tags: ["x", "y \"z\""],
        details: ["n": 1], place: .init(page: 4), bytes: [0, 255], key: Secret("k"), readAt: Instant(milliseconds: 7))

    @Test func savedRecordIsRead() throws {
        try database.write { db in
            try db.save(Self.full)
            try db.save(Note(id: "b"))
            #expect(try db.find(Note.self, "id = 'a'") == Self.full)
            #expect(try db.find(Note.self, "id = 'b'") == Note(id: "b"))
            #expect(try db.find(Note.self, "id = 'c'") == nil)
            #expect(try db.count(Note.self, "read_at IS NULL") == 1)
        }
    }

    @Test func savingReplacesTheRowOfItsKey() throws {
        try database.write { db in
            try db.save(Self.full)
            var note = Self.full
            note.title = nil
            try db.save(note)
            #expect(try db.all(Note.self, "1 ORDER BY id") == [note])
            try db.save(Mark(note: "a", reader: "me", count: 1))
            try db.save(Mark(note: "a", reader: "me", count: 2))
            try db.save(Mark(note: "a", reader: "you", count: 5))
            #expect(try db.all(Mark.self, "1 ORDER BY reader").map(\.count) == [2, 5])
        }
    }

    @Test func columnConstraintsAreEnforced() throws {
        try database.write { db in
            try db.save(Note(id: "a", title: "One"))
            #expect(throws: SQLiteError.self) { try db.save(Note(id: "b", title: "ONE")) }
            #expect(throws: SQLiteError.self) { try db.save(Mark(note: "nobody", reader: "me")) }
            #expect(throws: SQLiteError.self) { try db.run("UPDATE notes SET stars = NULL") }
            try db.save(Mark(note: "a", reader: "me"))
            try db.run("DELETE FROM notes WHERE id = 'a'")
            #expect(try db.count(Mark.self, "1") == 0)
        }
    }

    @Test func insertRejectsAnExistingKey() throws {
        try database.write { db in
            try db.insert(Self.full)
            let error = #expect(throws: SQLiteError.self) { try db.insert(Note(id: "a")) }
            #expect(error?.isDuplicate == true)
            #expect(try db.all(Note.self, "1") == [Self.full])
        }
    }

    @Test func updateChangesOnlyTheRowOfItsKey() throws {
        try database.write { db in
            try db.insert(Note(id: "a"))
            try db.insert(Note(id: "b"))
            try db.update(Self.full)
            try db.update(Note(id: "gone", stars: 9))
            #expect(try db.all(Note.self, "1 ORDER BY id") == [Self.full, Note(id: "b")])
            try db.insert(Mark(note: "a", reader: "me", count: 1))
            try db.insert(Mark(note: "b", reader: "me", count: 1))
            try db.update(Mark(note: "a", reader: "me", count: 2))
            #expect(try db.all(Mark.self, "1 ORDER BY note").map(\.count) == [2, 1])
        }
    }

    @Test func deleteRemovesMatchingRows() throws {
        try database.write { db in
            for (id, stars) in [("a", 1), ("b", 2), ("c", 2)] { try db.insert(Note(id: id, stars: stars)) }
            try db.delete(Note.self, "stars = \(2)")
            #expect(try db.all(Note.self, "1").map(\.id) == ["a"])
        }
    }

    @Test func rowsOfANumberedTableKeepTheirOrder() throws {
        try database.write { db in
            for id in ["z", "a", "m"] { try db.insert(Person(id: id, name: id)) }
            try db.save(Person(id: "a", email: "a@example.com", name: "A"))
            #expect(try db.all(Person.self, "1 ORDER BY row").map(\.id) == ["z", "a", "m"])
            #expect(db.lastInsertedRow == 3)
            #expect(throws: SQLiteError.self) { try db.save(Person(id: "x", name: "a")) }
        }
    }

    @Test func emptyTextIsNullIfTheColumnDeclaresIt() throws {
        try database.write { db in
            try db.insert(Person(id: "a", name: "One"))
            try db.insert(Person(id: "b", name: "Two"))
            #expect(try db.count(Person.self, "email IS NULL") == 2)
            #expect(try db.find(Person.self, "id = 'a'") == Person(id: "a", name: "One"))
            #expect(try db.find(Person.self, "lowered = 'two'")?.id == "b")
        }
    }

    @Test func aValueOfAnotherKindIsNamedByItsColumn() throws {
        try database.write { db in
            try db.save(Note(id: "a"))
            try db.run("UPDATE notes SET color = 'green'")
            let error = #expect(throws: SQLiteError.self) { try db.find(Note.self, "1") }
            #expect(error?.code == .mismatch)
            #expect(error?.message.contains("notes.color") == true)
        }
    }
}

@Suite("Schemas", .limitedConcurrency)
struct SchemaTests {
    private func file(_ body: (SQLiteLocation) throws -> Void) throws {
        let path = NSTemporaryDirectory() + "lockstep-schema-\(SystemRandomness().uuid()).sqlite"
        defer { for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) } }
        try body(.file(path))
    }

    private let first = Schema(["CREATE TABLE a (id INTEGER PRIMARY KEY)", "INSERT INTO a VALUES (1)"])

    @Test func tablesAreCreatedOnce() throws {
        try file { location in
            for _ in 0..<2 {
                var connection = try SQLiteConnection(location)
                try first.open(&connection)
                #expect(try connection.value("SELECT count(*) FROM a", as: Int.self) == 1)
            }
        }
    }

    @Test func earlierDatabaseGetsMissingChanges() throws {
        try file { location in
            var connection = try SQLiteConnection(location)
            try first.open(&connection)
            let changes = ["INSERT INTO a VALUES (2)", "INSERT INTO a VALUES (3)"]
            try Schema(["CREATE TABLE a (id INTEGER PRIMARY KEY)"], changes: Array(changes.prefix(1))).open(&connection)
            try Schema(["CREATE TABLE a (id INTEGER PRIMARY KEY)"], changes: changes).open(&connection)
            #expect(try connection.all("SELECT id FROM a") { row throws(SQLiteError) -> Int in try row[0] } == [1, 2, 3])
            let error = #expect(throws: SQLiteError.self) { try first.open(&connection) }
            #expect(error?.code == .mismatch)
        }
    }

    @Test func aNewDatabaseRunsNoChange() throws {
        var connection = try SQLiteConnection(.memory)
        try Schema(["CREATE TABLE a (id)"], changes: ["DROP TABLE a"]).open(&connection)
        #expect(try connection.value("SELECT count(*) FROM a", as: Int.self) == 0)
        #expect(try connection.value("PRAGMA user_version", as: Int.self) == 2)
    }

    @Test func failedChangeIsRolledBack() throws {
        var connection = try SQLiteConnection(.memory)
        #expect(throws: SQLiteError.self) { try Schema(["CREATE TABLE a (id)", "CREATE TABLE a (id)"]).open(&connection) }
        try Schema(["CREATE TABLE a (id)"]).open(&connection)
        #expect(try connection.value("PRAGMA user_version", as: Int.self) == 1)
    }

    /// A pattern of `LIKE` would have wildcards, and a cost that grows with its length.
    @Test func searchFindsAPartOfAText() throws {
        let database = try Database("search", in: .memory, Schema([Note.table.definition]))
        try database.write { db in
            for (id, subtitle) in [("1", "Ada 50%_"), ("2", "ADA"), ("3", "Bob"), ("4", "Émile")] {
                try db.save(Note(id: id, title: id == "3" ? "Adam" : nil, subtitle: subtitle))
            }
            for (text, found) in [
                ("ada", ["1", "2", "3"]), ("%_", ["1"]), ("%", ["1"]), ("É", ["4"]), ("nobody", []),
                (String(repeating: "a", count: 60_000), []),
            ] as [(String, [String])] {
                let condition = SQL.contains(text, in: "subtitle", "title")
                #expect(try db.all(Note.self, "\(condition) ORDER BY id").map(\.id) == found, "\(text.prefix(9))")
            }
        }
    }
}
