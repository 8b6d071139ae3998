import LockstepDirectoryContracts
import LockstepGoTrueDatabase
import LockstepTestConcurrency
import LockstepTestSupport
import Testing

/// Times in rows of a GoTrue server whose database uses another time zone than UTC.
@Suite(.limitedConcurrency) struct GoTrueDatabaseTimeTests {
    /// Before 1893, Berlin's offset has seconds, which RFC 3339 cannot write.
    @Test(arguments: ["Europe/Berlin", "America/New_York", "Asia/Kathmandu"])
    func readsOldTimesInAnyTimeZone(_ zone: String) async throws {
        try await GoTrueDatabaseHarness().with { project in
            try await project.sql("ALTER DATABASE \"\(project.name)\" SET timezone = '\(zone)'")
            let database = try project.database()
            let times: [Int64] = [-62_135_596_800_000, -5_000_000_000_123, -1, 1_500_000_000_001]
            for (number, milliseconds) in times.enumerated() {
                var new = NewDirectoryUser(email: "u\(number)@example.com")
                new.createdAt = Instant(milliseconds: milliseconds)
                #expect(try await database.create(new).createdAt == new.createdAt)
            }
        }
    }
}
