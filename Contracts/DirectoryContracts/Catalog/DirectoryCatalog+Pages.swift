internal import Lockstep
internal import LockstepDirectory

extension DirectoryCatalog {
    static let pagesOnce = DirectoryContract(
        "directory.pages-once",
        "Reading page by page returns each user once if the user exists the whole time, even while other users are added and deleted."
    ) { world in
        let directory = try world.directory()
        var kept: [String] = []
        var passing: [String] = []
        for number in 0..<9 {
            let made = try await directory.create(world.user("user\(number)", nil)).id
            // If a list is sorted by age, in either direction, its first five users include one of these users.
            if [2, 6, 7].contains(number) { passing.append(made) } else { kept.append(made) }
        }
        for size in [2, 3] {
            var seen: [String: Int] = [:]
            for try await user in directory.all(pageSize: size) {
                seen[user.id, default: 0] += 1
                if seen.count == size { _ = try await directory.create(world.user("late\(size)", nil)) }
                // The deletion of a returned user moves the remaining users. No new user fills the gap.
                if seen.count == 5, let gone = passing.first(where: { seen[$0] != nil }) {
                    try await directory.delete(gone)
                    passing.removeAll { $0 == gone }
                }
            }
            let missing = kept.count { seen[$0] == nil }
            world.expect(missing == 0, "in pages of \(size): \(missing) of \(kept.count) users are missing")
            world.expect(seen.values.allSatisfy { $0 == 1 }, "in pages of \(size): the list contains a user twice")
        }
        let emails = try await directory.page(after: nil, size: 100).users.compactMap(\.email)
        world.expect(emails.contains("user0@example.com"), "a page of a hundred does not contain the first user")
        try await world.expectEnds(directory)
    }
}

extension DirectoryCatalog {
    static let pagesEnd = DirectoryContract(
        "directory.pages-end",
        "The list of all users always ends. If a backend or a cache repeats a page, the list throws `invalidResponse` after a few "
            + "requests.",
        buildsOn: ["directory.pages-once"]
    ) { world in
        let directory = try world.directory()
        for number in 0..<5 { _ = try await directory.create(world.user("user\(number)", nil)) }
        for (size, passed) in [(2, 1), (1, 2), (4, 1)] {
            try world.project.fail(.page, after: passed, with: .earlierAnswer, times: 12)
            let before = try world.project.requestCount()
            var seen: [String] = []
            var end: AuthError?
            do throws(AuthError) {
                for try await user in directory.all(pageSize: size) where seen.count < 50 { seen.append(user.id) }
                world.report("in pages of \(size): a list with a repeated page ended without an error, after \(seen.count) users")
            } catch {
                end = error
            }
            let sent = try world.project.requestCount() - before
            world.expect(
                end == nil || end?.code == .invalidResponse,
                "in pages of \(size): the list ended with \(end.map { "\($0)" } ?? "")")
            world.expect(sent <= passed + 3, "in pages of \(size): \(sent) requests were sent")
            world.expect(Set(seen).count == seen.count, "in pages of \(size): the list contains a user twice")
            try world.project.mend()
        }
        var all = 0
        for try await _ in directory.all(pageSize: 2) { all += 1 }
        world.expect(all == 5, "without the cache, the list contains \(all) users, expected 5")
    }
}

extension DirectoryWorld {
    /// Checks that the pages end if the directory follows their cursors.
    fileprivate func expectEnds(_ directory: any UserDirectory) async throws {
        var cursor: DirectoryCursor?
        for _ in 0..<50 {
            cursor = try await directory.page(after: cursor, size: 2).next
            if cursor == nil { return }
        }
        report("after fifty pages of two users there is another page")
    }
}
