import Foundation
import LockstepEmulation
import LockstepEmulatorTestSupport
import LockstepPrimitives
import LockstepSQLite
import LockstepTestConcurrency
import Testing

@testable import LockstepGoTrueEmulator

@Suite("GoTrue's tables", .limitedConcurrency)
struct SchemaTests {
    /// This build opens the `--data` folder of the first build, with the same tables as a new one.
    @Test func folderOfTheFirstBuildIsUpgraded() throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../Fixtures/Schemas/goTrue-1.sql")
        let first = try String(contentsOf: file, encoding: .utf8)
        let (old, new) = (try TableLayout(.goTrue, from: first), try TableLayout(new: .goTrue))
        #expect(old.lines.subtracting(new.lines).sorted() == [])
        #expect(new.lines.subtracting(old.lines).sorted() == [])
    }

    /// A new table must say whether a seed contains its rows.
    @Test func seedKnowsEachTable() throws {
        #expect(Set(SeedContent.goTrue.tables) == (try TableLayout(new: .goTrue).tables))
        var connection = try SQLiteConnection(.memory)
        try Schema.goTrue.open(&connection)
        #expect(try SeedContent.goTrue.losses(in: &connection) == [])
        var user = User(id: "u", audience: "authenticated", role: "authenticated", at: Instant(seconds: 1))
        user.deletedAt = user.createdAt
        try connection.insert(user)
        #expect(try SeedContent.goTrue.losses(in: &connection) == ["softly deleted users (1)"])
    }
}
