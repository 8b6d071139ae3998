import LockstepDirectory
import LockstepEmulation
import LockstepFirebaseEmulator
import LockstepGoTrueDatabase
import LockstepGoTrueDirectory
import LockstepGoTrueEmulator
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

@testable import LockstepMigration

/// Users on the target before a plan, and the duplicates among those of the source.
@Suite(.limitedConcurrency) struct TargetUsersTests {
    private static func google(_ subject: String, email: String) -> JSON {
        [["providerId": "google.com", "rawId": .string(subject), "email": .string(email)]]
    }

    /// A source with duplicates of each kind, and a target whose users have values of others.
    private static func fill(_ world: MoveWorld, _ rows: GoTrueDatabase, others: Int) async throws {
        try await world.importUsers([
            MoveWorld.user(1), MoveWorld.user(2), MoveWorld.user(3, ["phoneNumber": "+4915112345671"]),
            MoveWorld.user(4, ["providerUserInfo": google("g4", email: MoveWorld.email(4))]),
        ])
        var taken: [NewDirectoryUser] = [NewDirectoryUser(email: "USER2@Example.com"), NewDirectoryUser(phone: "+4915112345671")]
        var third = NewDirectoryUser(email: "someone@example.com")
        third.providerIdentities = [DirectoryIdentity(.google, subject: "g4")]
        taken.append(third)
        let all = taken + (0..<others).map { NewDirectoryUser(email: "other\($0)@example.org") }
        for outcome in await rows.create(all) { #expect(outcome.error == nil, "\(outcome)") }
    }

    private static func move(_ world: MoveWorld, _ target: MoveTarget) async throws -> UserMove {
        let move = try await world.move(try world.run())
        return UserMove(
            from: move.source, to: target, MoveChoices(anonymousUsers: .skip), key: move.key, journal: move.journal,
            clock: HastyClock())
    }

    @Test func onlyConflictingUsersOfALargeTargetAreRead() async throws {
        try await MoveWorld.with { world in
            let rows = try await RowsTarget()
            try await Self.fill(world, try rows.rows(), others: 20)
            for (limit, pages) in [(0, 0), (10_000, 1)] {
                let watched = WatchedRows(rows: try rows.rows())
                var target = try rows.target(watched)
                target.scannedUsers = limit
                let plan = try await Self.move(world, target).plan()
                #expect(plan.created == 1 && plan.refused == [.addressTaken: 1, .numberTaken: 1, .identityTaken: 1])
                #expect(watched.calls.pages == pages, "\(watched.calls)")
                #expect((watched.calls.lookUps > 0) == (limit == 0), "\(watched.calls)")
            }
        }
    }

    @Test func onlyTheCountOfAnEmptyTargetIsRead() async throws {
        try await MoveWorld.with(users: 3) { world in
            let rows = try await RowsTarget()
            let watched = WatchedRows(rows: try rows.rows())
            let plan = try await Self.move(world, try rows.target(watched)).plan()
            #expect(plan.created == 3 && watched.calls == .init(counts: 1))
            // Through the API, too.
            _ = try await world.move(try world.run()).plan()
            let requests = world.target.panel.transcript.entries.map(\.request).filter { !$0.path.hasSuffix("/settings") }
            #expect(requests.count == 1 && requests[0].query["per_page"] == "1", "\(requests.map(\.path))")
        }
    }

    /// GoTrue's API cannot find a user by number, so its list is read instead.
    @Test func backendWithoutLookUpsIsListed() async throws {
        try await MoveWorld.with(users: 3) { world in
            for number in [1, 7, 8, 9] { _ = try await world.goTrue().create(NewDirectoryUser(email: MoveWorld.email(number))) }
            var target = MoveWorld.target(try world.goTrue())
            target.scannedUsers = 0
            let plan = try await Self.move(world, target).plan()
            #expect(plan.created == 2 && plan.refused == [.addressTaken: 1])
        }
    }

    /// A target that already has the users of an earlier run.
    @Test(arguments: [0, 10_000]) func usersOfAnEarlierRunAreAdopted(_ limit: Int) async throws {
        try await MoveWorld.with(users: 5) { world in
            let rows = try await RowsTarget()
            let first = try await Self.move(world, try rows.target())
            _ = try await first.plan()
            _ = try await first.apply(isPartial: false)
            try await rows.sql("UPDATE auth.users SET raw_app_meta_data = '{\"x\": 1}' WHERE email = 'user3@example.com'")
            for number in 0..<5 {
                _ = try await rows.rows().create(NewDirectoryUser(email: "other\(number)@example.org"))
            }
            var target = try rows.target()
            target.scannedUsers = limit
            let plan = try await Self.move(world, target).plan()
            #expect(plan.adopted == 4 && plan.refused == [.idTaken: 1] && plan.isConsistent)
        }
    }

    /// Here the source is a database: users added while it is read are in no page and in no count.
    @Test func sourceIsReadInOneSnapshot() async throws {
        try await MoveWorld.with { world in
            let rows = try await RowsTarget()
            for number in 0..<3 { _ = try await rows.rows().create(NewDirectoryUser(email: MoveWorld.email(number))) }
            let late = try rows.rows()
            let source = WatchedRows(rows: try rows.rows()) {
                _ = await late.create([NewDirectoryUser(email: "late@example.com")])
            }
            let move = try await world.move(try world.run())
            let plan = try await UserMove(
                from: MoveSource(source, project: "rows"), to: move.target, MoveChoices(), key: move.key, journal: move.journal,
                clock: HastyClock()
            ).plan()
            #expect(plan.read == 3 && plan.counted == 3 && plan.countedBefore == 3)
            #expect(try await rows.count() == 4)
        }
    }

    @Test(.covers("M07")) func duplicatesWithinTheSourceAreFoundByCaseLettersAndDigits() async throws {
        try await MoveWorld.with { world in
            let rows = try await RowsTarget()
            var target = try rows.target()
            target.acceptsAddress = { _ in true }
            let move = try await Self.move(world, target)
            func user(_ id: String, _ email: String?, phone: String? = nil, google subject: String? = nil) -> DirectoryUser {
                var user = DirectoryUser(id: id)
                (user.email, user.isEmailConfirmed, user.phone, user.isPhoneConfirmed) = (
                    email, email != nil, phone, phone != nil
                )
                if let subject { user.providerIdentities = [DirectoryIdentity(.google, subject: subject, email: email)] }
                return user
            }
            let source = ListedUsers([
                user("1", "ada@example.com"), user("2", "ADA@example.com"), user("3", "a.da@example.com"),
                user("4", "ren\u{E9}@example.com"), user("5", "REN\u{C9}@example.com"), user("6", "rene\u{301}@example.com"),
                user("7", nil, phone: "+49 151 1"), user("8", nil, phone: "+491511"), user("9", nil, google: "g"),
                user("10", nil, google: "g"), user("11", nil, google: "G"),
            ])
            let plan = try await UserMove(
                from: MoveSource(source, project: "demo"), to: target, MoveChoices(), key: move.key, journal: move.journal,
                clock: HastyClock()
            ).plan()
            #expect(plan.refused == [.addressTwice: 3, .numberTwice: 1, .identityTwice: 1])
            let refused = try await move.journal.users(in: [.refused], after: 0, limit: 100)
            #expect(refused.map(\.sourceID) == ["2", "5", "6", "8", "10"])
        }
    }
}
