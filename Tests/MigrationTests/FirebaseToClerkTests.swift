import LockstepClerkDirectory
import LockstepClerkEmulator
import LockstepDirectory
import LockstepEmulation
import LockstepFirebaseDirectory
import LockstepFirebaseEmulator
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

@testable import LockstepMigration

/// Moves to a target that makes the ids of its users.
@Suite("From Firebase to Clerk", .limitedConcurrency, .timeLimit(.minutes(5)))
struct FirebaseToClerkTests {
    private static let users = 10

    /// Each user is on the target once, with the id of the source as the external id, and the journal knows the id there.
    private static func expectAll(_ world: ClerkWorld, _ folder: RunFolder, _ comment: Comment) async throws {
        #expect(try world.targetCount == users, comment)
        #expect(try await folder.journal.counts() == [.complete: users], comment)
        let rows = try await folder.journal.users(in: [.complete], after: 0, limit: users)
        let found = try await world.clerk().users(externalIDs: rows.map(\.sourceID))
        #expect(found.map { $0?.id } == rows.map(\.targetID), comment)
        let numbers = rows.map { row in (0..<users).first { MoveWorld.id($0) == row.sourceID } }
        #expect(found.map { $0?.email } == numbers.map { $0.map(MoveWorld.email) }, comment)
    }

    @Test(.covers("M01", "M11", "M29", "M30", "M35")) func wholeMoveWithAssignedIDs() async throws {
        try await ClerkWorld.with(users: Self.users) { world in
            let folder = try world.run()
            let move = try await world.move(folder)
            let plan = try await move.plan()
            #expect(plan.created == Self.users && plan.ways == [.password: Self.users], "\(plan)")
            #expect(plan.writing?.firstSignIns != nil && plan.writing?.otherWay == nil)
            #expect(try await move.apply(isPartial: false).states == [.complete: Self.users])
            try await Self.expectAll(world, folder, "applied")
            #expect(try await world.signIn(MoveWorld.email(0)) == "complete")
            #expect(try await world.signIn(MoveWorld.email(1), "Wrong-1!") == "form_password_incorrect")
            let report = try await move.verify(signingInThrough: try world.adapter())
            #expect(report.isSuccess && report.verified == Self.users, "\(report)")
            #expect(report.hashes.allSatisfy { $0.isProven == true } && report.canaries?.checks.isEmpty == false)
            #expect(try world.targetCount == Self.users)
            let map = try await folder.writeMap()
            #expect(map.file.users == Self.users)
            let undone = try await move.undo(isDry: false)
            #expect(undone.deleted == Self.users - 1 && undone.kept.map(\.sourceID) == [MoveWorld.id(0)], "\(undone)")
            #expect(try world.targetCount == 1)
        }
    }

    @Test(.covers("M11"), arguments: MortalJournal.Moment.allCases)
    func killAtEachWriteLosesAndDuplicatesNobody(_ moment: MortalJournal.Moment) async throws {
        try await ClerkWorld.with(users: Self.users) { world in
            for write in 1... {
                try world.target.panel.reset()
                let folder = try world.run()
                _ = try await world.move(folder).plan()
                let mortal = MortalJournal(folder.journal, killedAt: write, moment)
                let killed = try await world.move(folder, journal: mortal)
                do throws(MigrationError) {
                    _ = try await killed.apply(isPartial: false)
                    #expect(write > 5)
                    break
                } catch {
                    #expect(error == MortalJournal.death)
                }
                _ = try await world.move(folder).apply(isPartial: false)
                try await Self.expectAll(world, folder, "killed \(moment) write \(write)")
                #expect(world.writes.allSatisfy { $0.response.status < 400 }, "killed \(moment) write \(write)")
                _ = try await world.move(folder).apply(isPartial: false)
                #expect(world.writes.count == Self.users)
                folder.close()
            }
        }
    }

    @Test(.covers("M11"), arguments: MortalJournal.Moment.allCases)
    func killAfterALostResponseLosesAndDuplicatesNobody(_ moment: MortalJournal.Moment) async throws {
        try await ClerkWorld.with(users: Self.users) { world in
            for write in 1... {
                try world.target.panel.reset()
                let folder = try world.run()
                defer { folder.close() }
                _ = try await world.move(folder).plan()
                try world.target.panel.fail(next: 2, ClerkWorld.creation, with: .delay(.zero))
                try world.target.panel.fail(next: 2, ClerkWorld.creation, with: .loseResponse)
                let mortal = MortalJournal(folder.journal, killedAt: write, moment)
                let killed = try await world.move(folder, journal: mortal)
                do throws(MigrationError) {
                    _ = try await killed.apply(isPartial: false)
                    #expect(write > 5)
                    break
                } catch {
                    #expect(error == MortalJournal.death)
                }
                _ = try await world.move(folder).apply(isPartial: false)
                try await Self.expectAll(world, folder, "killed \(moment) write \(write)")
            }
        }
    }

    /// In the middle of an undo and of a pass that follows changes: the next call ends the work, and creates nobody twice.
    @Test(.covers("M11", "M34", "M35"), arguments: MortalJournal.Moment.allCases, ["undo", "follow"])
    func killAtEachWriteAfterTheApplyIsContinued(_ moment: MortalJournal.Moment, _ step: String) async throws {
        try await ClerkWorld.with(users: 6) { world in
            for write in 1... {
                try world.target.panel.reset()
                let folder = try world.run()
                defer { folder.close() }
                _ = try await world.move(folder).plan()
                _ = try await world.move(folder).apply(isPartial: false)
                if step == "follow" {
                    try world.source.emulator.admin.deleteUser(MoveWorld.id(0))
                    try await world.importUsers([MoveWorld.user(90)])
                    var values = UserValues()
                    values.displayName = "Renamed \(write)"
                    try await world.source.emulator.admin.update(MoveWorld.id(1), values)
                }
                let mortal = MortalJournal(folder.journal, killedAt: write, moment)
                let killed = try await world.move(folder, journal: mortal)
                var isKilled = true
                do throws(MigrationError) {
                    if step == "undo" {
                        _ = try await killed.undo(isDry: false)
                    } else {
                        _ = try await killed.follow(isDry: false)
                    }
                    isKilled = false
                } catch {
                    #expect(error == MortalJournal.death)
                }
                let move = try await world.move(folder)
                if step == "undo" {
                    _ = try await move.undo(isDry: false)
                    #expect(try world.targetCount == 0, "killed \(moment) write \(write)")
                    #expect(try await folder.journal.counts() == [.undone: 6])
                } else {
                    _ = try await move.follow(isDry: false)
                    #expect(try world.targetCount == 6, "killed \(moment) write \(write)")
                    #expect(try await move.verify().isSuccess, "killed \(moment) write \(write)")
                    try world.source.emulator.admin.deleteUser(MoveWorld.id(90))
                    try await world.importUsers([MoveWorld.user(0)])
                }
                guard isKilled else {
                    #expect(write > 2)
                    break
                }
            }
        }
    }

    /// Each answer to a creation is lost once: the users are found by their external ids.
    @Test(.covers("M11", "M15"), arguments: [FaultEffect.loseResponse, .status(503), .close, .retryAfter(seconds: 1)])
    func lostAnswersAreResolvedByExternalIDs(_ effect: FaultEffect) async throws {
        try await ClerkWorld.with(users: Self.users) { world in
            let folder = try world.run()
            _ = try await world.move(folder).plan()
            for _ in 0..<Self.users {
                try world.target.panel.fail(next: 1, ClerkWorld.creation, with: effect)
                let move = try await world.move(folder)
                do throws(MigrationError) {
                    _ = try await move.apply(isPartial: false)
                } catch {
                    #expect(error.code == .stopped)
                }
            }
            world.target.panel.clearFaults()
            _ = try await world.move(folder).apply(isPartial: false)
            try await Self.expectAll(world, folder, "\(effect)")
            let before = world.writes.count
            _ = try await world.move(folder).apply(isPartial: false)
            #expect(world.writes.count == before)
        }
    }

    /// A user who has the external id, and whom the run has not created, is adopted only with equal values.
    @Test(.covers("M11", "M35")) func userWithTheExternalIDIsAdoptedOnlyIfEqual() async throws {
        try await ClerkWorld.with(users: 3) { world in
            let folder = try world.run()
            let move = try await world.move(folder)
            let demands = try await move.targetDemands()
            let source = try await world.firebase().page(after: nil, size: 10).users
            let equal = try #require(source.first { $0.id == MoveWorld.id(0) })
            _ = try await world.clerk().create(move.mapping.map(equal, demands: demands).new)
            var other = NewDirectoryUser(email: "stranger@example.com")
            other.externalID = MoveWorld.id(1)
            let stranger = try await world.clerk().create(other)
            let plan = try await move.plan()
            #expect([plan.adopted, plan.created] == [1, 1] && plan.refused == [.idTaken: 1], "\(plan)")
            _ = try await move.apply(isPartial: true)
            #expect(try await move.verify().isSuccess)
            #expect(try await move.undo(isDry: false).deleted == 1)
            #expect(try await world.clerk().user(id: stranger.id).email == "stranger@example.com")
            #expect(try world.targetCount == 2)
            // The journal does not take the stranger for the user.
            #expect(try await folder.journal.users(sourceIDs: [MoveWorld.id(1)]).map(\.targetID) == [nil])
        }
    }

    /// Between a lost answer and the next call, somebody has changed the user: nobody is deleted.
    @Test(.covers("M11", "M35")) func changedUserOfALostAnswerIsNamed() async throws {
        try await ClerkWorld.with(users: 1) { world in
            let folder = try world.run()
            _ = try await world.move(folder).plan()
            try world.target.panel.fail(next: 1, ClerkWorld.creation, with: .loseResponse)
            let mortal = MortalJournal(folder.journal, killedAt: 2, .before)
            await #expect(throws: MigrationError.self) { try await world.move(folder, journal: mortal).apply(isPartial: false) }
            let found = try #require(try await world.clerk().users(externalIDs: [MoveWorld.id(0)])[0])
            var changes = DirectoryChanges()
            changes.displayName = "Other Person"
            _ = try await world.clerk().update(found.id, changes)
            #expect(try await world.move(folder).apply(isPartial: false).states == [.differs: 1])
            let report = try await world.move(folder).verify()
            #expect(
                report.differing.map(\.targetID) == [found.id] && report.differing.first?.fields == ["first name", "last name"],
                "\(report)")
            #expect(try await world.move(folder).undo(isDry: false).kept.map(\.reason) == [.changed])
            #expect(try world.targetCount == 1)
        }
    }

    /// The app uses the field for external ids: the plan stops, and says how to go on.
    @Test(.covers("M51"), arguments: ["source", "target"]) func externalIDsOfTheAppStopThePlan(_ side: String) async throws {
        try await ClerkWorld.with(users: 2) { world in
            let folder = try world.run()
            var source = MoveSource(try await world.firebase(), project: "demo")
            if side == "target" {
                var other = NewDirectoryUser(email: "app@example.com")
                other.externalID = "crm-17"
                _ = try await world.clerk().create(other)
            } else {
                var user = DirectoryUser(id: "a")
                (user.email, user.isEmailConfirmed, user.externalID) = ("a@example.com", true, "crm-17")
                source = MoveSource(ListedUsers([user]), project: "demo")
            }
            let error = await #expect(throws: MigrationError.self) { try await world.move(folder, from: source).plan() }
            #expect(error?.code == .externalIDs)
            #expect(try await folder.journal.head()?.plan == nil)
            var choices = MoveChoices()
            choices.externalIDs = .overwrite
            let plan = try await world.move(folder, choices, from: source).plan()
            #expect(plan.created == (side == "target" ? 2 : 1), "\(plan)")
            let isNamed = plan.fields.contains { $0.field == .externalID && $0.reason == .externalIDIsID }
            #expect(isNamed == (side == "source"))
        }
    }

    /// A file of users may lack the time of an account: the target's own time is no difference.
    @Test(.covers("M29", "M35")) func userWithoutATimeOfTheAccountMatches() async throws {
        var users = [Self.full("a"), Self.full("b")]
        for index in users.indices { users[index].createdAt = nil }
        try await ClerkWorld.with { world in
            let folder = try world.run()
            let move = try await world.move(folder, from: MoveSource(ListedUsers(users), project: "demo"))
            _ = try await move.plan()
            try world.target.panel.fail(next: 1, ClerkWorld.creation, with: .loseResponse)
            #expect(try await move.apply(isPartial: false).states == [.complete: 2])
            #expect(try await move.verify().isSuccess)
            #expect(try await move.follow(isDry: false).isSuccess)
            users[0].displayName = "Augusta King"
            (users[0].firstName, users[0].lastName) = ("Augusta", "King")
            let changed = try await world.move(folder, from: MoveSource(ListedUsers(users), project: "demo"))
            let report = try await changed.follow(isDry: false)
            #expect(report.changed == 1 && report.isSuccess, "\(report)")
            #expect(try await changed.verify().isSuccess)
            #expect(try await changed.undo(isDry: false).deleted == 2)
        }
    }

    /// A user with each value that Clerk can store.
    static func full(_ id: String) -> DirectoryUser {
        var user = DirectoryUser(id: id)
        (user.email, user.isEmailConfirmed) = ("\(id)@example.com", true)
        (user.phone, user.isPhoneConfirmed) = ("+1555123\(1000 + Int(id.utf8.first ?? 0))", true)
        user.otherEmails = [DirectoryAddress("\(id)@example.org", isConfirmed: false)]
        user.otherPhones = [DirectoryAddress("+1555124\(1000 + Int(id.utf8.first ?? 0))", isConfirmed: true)]
        (user.username, user.firstName, user.lastName) = ("name_\(id)", "Ada", "Lovelace")
        (user.userMetadata, user.appMetadata, user.privateMetadata) = (["theme": "dark"], ["role": "admin"], ["note": "old"])
        user.createdAt = Instant(seconds: 1_500_000_000)
        user.passwordHash = OddUser.importedHash
        user.factors = [DirectoryFactor(.authenticatorApp(secret: "JBSWY3DPEHPK3PXP"))]
        return user
    }

    /// Values over a limit of one bag are refused by name, or go to the side file as a whole.
    @Test(.covers("M08")) func eachBagHasItsOwnLimit() async throws {
        let note = JSON.string(String(repeating: "note ", count: 1600))
        func user(_ id: String, _ change: (inout DirectoryUser) -> Void) -> DirectoryUser {
            var user = DirectoryUser(id: id)
            (user.email, user.isEmailConfirmed) = ("\(id)@example.com", true)
            user.createdAt = Instant(seconds: 1_500_000_000)
            change(&user)
            return user
        }
        let users = [
            // Each fits, and together they are larger than one limit.
            user("a") { ($0.userMetadata, $0.appMetadata, $0.privateMetadata) = (["n": note], ["n": note], ["n": note]) },
            user("b") { $0.privateMetadata = ["n": note, "m": note] },
            user("c") { $0.displayName = String(repeating: "long ", count: 80) + "name" },
        ]
        try await ClerkWorld.with { world in
            let source = MoveSource(ListedUsers(users), project: "demo")
            let folder = try world.run()
            let refusing = try await world.move(folder, from: source).plan()
            #expect(refusing.created == 1 && refusing.refused == [.dataTooLarge: 2], "\(refusing)")
            var choices = MoveChoices()
            choices.largeData = .sideFile(folder.largeData)
            let move = try await world.move(folder, choices, from: source)
            #expect(try await move.plan().created == 3)
            #expect(try await move.apply(isPartial: false).states == [.complete: 3])
            let report = try await move.verify()
            #expect(report.isSuccess, "\(report)")
            let found = try await world.clerk().users(externalIDs: ["a", "b", "c"])
            #expect(found[0]?.privateMetadata == users[0].privateMetadata && found[1]?.privateMetadata == [:])
            #expect(found[2]?.displayName == nil)
        }
    }

    @Test(.covers("M16", "M17", "M19", "M20", "M25")) func statesAreNeverMoreThanBefore() async throws {
        try await ClerkWorld.with { world in
            try await world.importUsers([
                MoveWorld.user(0, ["emailVerified": false]), MoveWorld.user(1, ["disabled": true]),
                MoveWorld.user(2, ["rawPassword": nil, "providerUserInfo": [["providerId": "google.com", "rawId": "g-2"]]]),
                MoveWorld.user(
                    3,
                    ["mfaInfo": [["mfaEnrollmentId": "f", "phoneInfo": "+4915112345603"]]]),
            ])
            let folder = try world.run()
            let move = try await world.move(folder)
            let plan = try await move.plan()
            #expect(plan.refused == [.phoneFactor: 1], "\(plan.refused)")
            _ = try await move.apply(isPartial: true)
            #expect(try await move.verify().isSuccess)
            let read = try await world.clerk().users(externalIDs: (0..<4).map(MoveWorld.id))
            #expect(read.map { $0?.isEmailConfirmed } == [false, true, true, nil])
            #expect(read[0]?.fields["email_addresses"]?[0]?["reserved"] == true)
            #expect(read[1]?.isDisabled == true && read[2]?.hasPassword == false)
            #expect(try await world.signIn(MoveWorld.email(1)) == "user_banned")
            #expect(try await world.signIn(MoveWorld.email(2)) != "complete")
            // By choice, a stranger's password does not move.
            _ = try await move.undo(isDry: false)
            var choices = MoveChoices(anonymousUsers: .skip)
            choices.unverifiedAddresses = .withoutPassword
            let strict = try await world.move(try world.run(), choices)
            let stricter = try await strict.plan()
            #expect(stricter.fields.contains { $0.field == .password && $0.reason == .addressUnverified && $0.count == 1 })
            _ = try await strict.apply(isPartial: true)
            #expect(try await world.signIn(MoveWorld.email(0)) != "complete")
        }
    }

    @Test(.covers("M33", "M34")) func laterChangesAreFollowed() async throws {
        try await ClerkWorld.with(users: 4) { world in
            let folder = try world.run()
            let move = try await world.move(folder)
            _ = try await move.plan()
            _ = try await move.apply(isPartial: false)
            var values = UserValues()
            (values.displayName, values.appMetadata) = ("Grace Brewster Hopper", ["role": ["of": "editor", "on": "docs"]])
            try await world.source.emulator.admin.update(MoveWorld.id(0), values)
            try world.source.emulator.admin.deleteUser(MoveWorld.id(1))
            var password = UserValues()
            password.password = "New-Password-2!"
            try await world.source.emulator.admin.update(MoveWorld.id(2), password)
            try await world.importUsers([MoveWorld.user(9)])
            let report = try await move.follow(isDry: false)
            #expect([report.created, report.changed, report.deleted] == [1, 2, 1] && report.isSuccess, "\(report)")
            let found = try await world.clerk().users(externalIDs: [0, 1, 2, 9].map(MoveWorld.id))
            #expect(found.map { $0 == nil } == [false, true, false, false])
            #expect(found[0]?.firstName == "Grace Brewster" && found[0]?.lastName == "Hopper")
            // A member that is gone stays gone, also inside of an object.
            values.appMetadata = ["role": ["of": "owner"]]
            try await world.source.emulator.admin.update(MoveWorld.id(0), values)
            #expect(try await move.follow(isDry: false).changed == 1)
            #expect(try await world.clerk().user(id: found[0]?.id ?? "").appMetadata == ["role": ["of": "owner"]])
            #expect(try await world.signIn(MoveWorld.email(2), "New-Password-2!") == "complete")
            #expect(try await world.signIn(MoveWorld.email(2)) == "form_password_incorrect")
            #expect(try await move.follow(isDry: false).total == 0)
            #expect(try await move.verify().isSuccess)
        }
    }

    /// Clerk asks a new device for a code: canaries are not tried, unless the operator lets them pass.
    @Test(.covers("M30", "M57")) func canariesOnNewDevices() async throws {
        try await ClerkWorld.with(users: 2) { settings in
            settings.asksNewClients = true
        } _: { world in
            let folder = try world.run()
            _ = try await world.move(folder).plan()
            _ = try await world.move(folder).apply(isPartial: false)
            let asked = try await world.move(folder).verify(signingInThrough: try world.adapter())
            #expect(!asked.isSuccess && asked.hashes.allSatisfy { $0.isProven == nil }, "\(asked)")
            #expect(try world.targetCount == 2)
            let trusted = try await world.move(folder, trustsNewDevices: true).verify(signingInThrough: try world.adapter())
            #expect(trusted.isSuccess && trusted.hashes.allSatisfy { $0.isProven == true }, "\(trusted)")
            #expect(try world.targetCount == 2)
            // Only temporary users pass.
            #expect(try await world.signIn(MoveWorld.email(0)) == "needs_client_trust")
        }
    }
}
