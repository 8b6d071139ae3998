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
@Suite("A target that makes the ids", .limitedConcurrency, .timeLimit(.minutes(5)))
struct AssignedIDTests {
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

    @Test(.covers("M11"), arguments: MortalJournal.Moment.allCases, [false, true])
    func killAtEachWriteLosesAndDuplicatesNobody(_ moment: MortalJournal.Moment, afterLostResponses: Bool) async throws {
        try await ClerkWorld.with(users: Self.users) { world in
            for write in 1... {
                try world.target.panel.reset()
                let folder = try world.run()
                defer { folder.close() }
                _ = try await world.move(folder).plan()
                if afterLostResponses {
                    try world.target.panel.fail(next: 2, ClerkWorld.creation, with: .delay(.zero))
                    try world.target.panel.fail(next: 2, ClerkWorld.creation, with: .loseResponse)
                }
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
                if !afterLostResponses {
                    #expect(world.writes.allSatisfy { $0.response.status < 400 }, "killed \(moment) write \(write)")
                }
                let writes = world.writes.count
                _ = try await world.move(folder).apply(isPartial: false)
                #expect(world.writes.count == writes && (afterLostResponses || writes == Self.users))
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
}
