import LockstepEmulation
import LockstepGoTrueEmulator
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

/// Each page of the list of users contains the number of users.
@Suite("Pages of users", .limitedConcurrency)
struct UserListTests {
    private static func page(_ emulator: TestEmulator, _ number: Int, _ query: String = "") async throws -> (
        ids: [String], total: String?
    ) {
        let answer = try await emulator.get("/admin/users?page=\(number)&per_page=3\(query)", bearer: emulator.admin)
        return (
            (answer.json["users"]?.array ?? []).compactMap { $0["email"]?.string },
            answer.response.headers["X-Total-Count"]
        )
    }

    @Test(arguments: ["", "&sort=created_at%20asc", "&filter=user"])
    func listContainsEachUserOnce(_ query: String) async throws {
        let emulator = try TestEmulator()
        for number in 0..<8 { try emulator.administrator.createUser(email: "user\(number)@example.com") }
        // Two readers of the same list, one of them from its end.
        var all: [String] = []
        for number in 1...3 {
            let page = try await Self.page(emulator, number, query)
            #expect(page.total == "8")
            #expect(try await Self.page(emulator, 4 - number, query).total == "8")
            all += page.ids
        }
        #expect(Set(all).count == 8 && all.count == 8, "\(all)")
        #expect(try await Self.page(emulator, 2, query).ids == Array(all[3..<6]))
    }

    @Test func userCountIsCurrent() async throws {
        let emulator = try TestEmulator()
        for number in 0..<4 { try emulator.administrator.createUser(email: "user\(number)@example.com") }
        let first = try await Self.page(emulator, 1)
        try emulator.administrator.createUser(email: "new@example.com")
        let second = try await Self.page(emulator, 2)
        #expect(first.total == "4" && second.total == "5")
        // The new user is the first of the list, so the last user of the first page has moved to the second.
        #expect(second.ids == [first.ids[2], "user0@example.com"], "\(first.ids) \(second.ids)")
        #expect(try await Self.page(emulator, 1, "&filter=new").total == "1")
    }

    /// `_` and `%` are wildcards, as in the real server's query.
    @Test func filterHasWildcardsAndALimit() async throws {
        let emulator = try TestEmulator()
        try emulator.administrator.createUser(email: "ada@example.com", metadata: ["full_name": "Ada 50%"])
        for (filter, total) in [
            ("ada", "1"), ("ADA@", "0"), ("ADA%205", "1"), ("a_a@", "1"), ("a%25example", "1"), ("a__a@", "0"),
            (String(repeating: "a", count: 1000), "0"),
        ] {
            #expect(try await Self.page(emulator, 1, "&filter=" + filter).total == total, "\(filter)")
        }
        let long = String(repeating: "a", count: 1001)
        #expect(try await emulator.get("/admin/users?filter=" + long, bearer: emulator.admin).response.status == 400)
    }
}
