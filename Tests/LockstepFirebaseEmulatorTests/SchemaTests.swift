import Foundation
import LockstepEmulation
import LockstepEmulatorTestSupport
import LockstepSQLite
import LockstepTestConcurrency
import Testing

@testable import LockstepFirebaseEmulator

@Suite("Firebase's tables", .limitedConcurrency)
struct SchemaTests {
    private static let first = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../Fixtures/Schemas/firebase-1.sql")

    /// This build opens the `--data` folder of the first build, with the same tables as a new one.
    @Test func folderOfTheFirstBuildIsUpgraded() throws {
        let first = try String(contentsOf: Self.first, encoding: .utf8)
        let (old, new) = (try TableLayout(.firebase, from: first), try TableLayout(new: .firebase))
        #expect(old.lines.subtracting(new.lines).sorted() == [])
        #expect(new.lines.subtracting(old.lines).sorted() == [])
    }

    /// A new table must say whether a seed contains its rows.
    @Test func seedKnowsEachTable() throws {
        #expect(Set(SeedContent.firebase("demo").tables) == (try TableLayout(new: .firebase).tables))
        var connection = try SQLiteConnection(.memory)
        try Schema.firebase.open(&connection)
        #expect(try SeedContent.firebase("demo").losses(in: &connection) == [])
        try connection.script(
            """
            INSERT INTO spaces VALUES (1, 'other', '', '{}');
            INSERT INTO users (space, local_id, number, custom_auth) VALUES (1, 'u', 1, 0);
            """)
        #expect(try SeedContent.firebase("demo").losses(in: &connection) == ["users of other projects (1)"])
    }

    /// Users of a folder without numbers keep their order.
    @Test func usersOfAnEarlierBuildAreNumberedByAge() throws {
        var connection = try SQLiteConnection(.memory)
        try connection.script(try String(contentsOf: Self.first, encoding: .utf8) + "; PRAGMA user_version = 1")
        try connection.script(
            """
            INSERT INTO spaces VALUES (1, 'demo', '', '{}');
            INSERT INTO users (space, local_id, created_at, custom_auth)
                VALUES (1, 'young', 3000, 0), (1, 'old', 1000, 0), (1, 'middle', 2000, 0);
            """)
        try Schema.firebase.open(&connection)
        let ids: [String] = try connection.all("SELECT local_id FROM users ORDER BY number") { row throws(SQLiteError) in
            try row[0]
        }
        #expect(ids == ["old", "middle", "young"])
    }
}
