import LockstepDirectoryContracts
import LockstepTestConcurrency
import LockstepTestSupport
import Testing

/// The memory of a list of all users, and the place where it continues.
@Suite(.limitedConcurrency) struct ListMemoryTests {
    private static func users(_ numbers: some Sequence<Int>, secondsApart: Int64 = 1) -> [DirectoryUser] {
        numbers.map { number in
            var user = DirectoryUser(id: "user-\(number)")
            user.createdAt = Instant(seconds: 2_000_000_000 - Int64(number) * secondsApart)
            return user
        }
    }

    /// Of 100,000 users in pages of 500, a list remembers the last page and one user of each page.
    ///
    /// In order of age, it remembers the users of one moment.
    @Test(.covers("M27"), arguments: [(DirectoryOrder.stable, 700), (.newestFirst, 1), (.any, 100_000)])
    func remembersOnlyUsersThatCanRepeat(_ order: DirectoryOrder, _ most: Int) {
        var seen = SeenUsers(order)
        for start in stride(from: 0, to: 100_000, by: 500) {
            #expect(seen.add(Self.users(start..<start + 500)).count == 500)
        }
        #expect(seen.count == 100_000)
        #expect(seen.remembered <= most)
    }

    /// Added users push users that were read to the next page.
    ///
    /// After a deletion a page is read again.
    @Test func newestFirstListSkipsRepeatedUsers() {
        var seen = SeenUsers(.newestFirst)
        #expect(seen.add(Self.users(0..<4)).count == 4)
        #expect(seen.add(Self.users(2..<6)).map(\.id) == ["user-4", "user-5"])
        #expect(seen.add(Self.users(0..<6)).isEmpty)
        #expect(seen.add(Self.users(5..<8)).map(\.id) == ["user-6", "user-7"])
    }

    /// Users of one moment, as after an import, are distinguished by their ids.
    @Test func distinguishesUsersOfOneMoment() {
        var seen = SeenUsers(.newestFirst)
        #expect(seen.add(Self.users(0..<3, secondsApart: 0)).count == 3)
        #expect(seen.add(Self.users(1..<5, secondsApart: 0)).map(\.id) == ["user-3", "user-4"])
        var undated = DirectoryUser(id: "undated")
        undated.createdAt = nil
        #expect(seen.add([undated]).count == 1)
        #expect(seen.add(Self.users(10..<11)).count == 1)
        #expect(seen.add([undated]).isEmpty)
    }

    /// The next run continues after the last page that an ended run has processed.
    @Test func continuesFromASavedCursor() async throws {
        for harness in [DirectoryContractTests.goTrue, DirectoryContractTests.clerk, DirectoryContractTests.firebase]
            as [any DirectoryHarness]
        {
            try await harness.withProject { project in
                let directory = try project.directory(clock: FixedClock())
                _ = await directory.create((0..<7).map { NewDirectoryUser(email: "user\($0)@example.com") })
                var all: [String] = []
                for try await user in directory.all(pageSize: 3) { all.append(user.id) }
                #expect(all.count == 7)
                var first: [DirectoryPage] = []
                for try await page in directory.pages(size: 3) {
                    first.append(page)
                    break
                }
                let kept = try #require(first.first?.next)
                var rest: [String] = []
                for try await user in directory.all(after: kept, pageSize: 3) { rest.append(user.id) }
                #expect(first[0].users.map(\.id) + rest == all, "\(harness.name)")
            }
        }
    }
}
