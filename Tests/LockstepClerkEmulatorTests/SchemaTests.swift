import Foundation
import LockstepEmulation
import LockstepEmulatorTestSupport
import LockstepSQLite
import LockstepTestConcurrency
import Testing

@testable import LockstepClerkEmulator

@Suite("Clerk's tables", .limitedConcurrency)
struct SchemaTests {
    /// This build opens the `--data` folder of the first build, with the same tables as a new one.
    @Test func folderOfTheFirstBuildIsUpgraded() throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../Fixtures/Schemas/clerk-1.sql")
        let first = try String(contentsOf: file, encoding: .utf8)
        let (old, new) = (try TableLayout(.clerk, from: first), try TableLayout(new: .clerk))
        #expect(old.lines.subtracting(new.lines).sorted() == [])
        #expect(new.lines.subtracting(old.lines).sorted() == [])
    }

    /// A new table must say whether a seed contains its rows.
    @Test func seedKnowsEachTable() throws {
        #expect(Set(SeedContent.clerk.tables) == (try TableLayout(new: .clerk).tables))
        var connection = try SQLiteConnection(.memory)
        try Schema.clerk.open(&connection)
        #expect(try SeedContent.clerk.losses(in: &connection) == [])
        try connection.script(
            "INSERT INTO waitlist (id, email_address, created_at, updated_at) VALUES ('w', 'a@b.example', 1, 1)")
        #expect(try SeedContent.clerk.losses(in: &connection) == ["people on the waitlist (1)"])
    }
}
