import LockstepEmulation
import LockstepFirebaseDirectory
import LockstepGoTrueDirectory
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

@testable import LockstepMigration

@Suite(.limitedConcurrency) struct ApplyTests {
    private static let users = 10
    private static let creation = RequestMatch("POST", "*/admin/users")

    /// A new target and a run with a finished plan.
    private static func planned(_ world: MoveWorld) async throws -> RunFolder {
        try world.target.panel.reset()
        world.target.panel.clearFaults()
        let folder = try world.run()
        _ = try await world.move(folder).plan()
        return folder
    }

    /// The target contains each user of the source once, with the id of the mapping.
    private static func expectAll(_ world: MoveWorld, _ folder: RunFolder, _ comment: Comment) async throws {
        #expect(try world.targetCount == users, comment)
        let move = try await world.move(folder)
        for number in 0..<users {
            let found = try await world.goTrue().user(id: move.mapping.knownID(of: MoveWorld.id(number)))
            #expect(found.email == MoveWorld.email(number), comment)
        }
        #expect(try await folder.journal.counts() == [.complete: users], comment)
    }

    @Test(.covers("M11"), arguments: MortalJournal.Moment.allCases)
    func killAtEachWriteLosesAndDuplicatesNobody(_ moment: MortalJournal.Moment) async throws {
        try await MoveWorld.with(users: Self.users) { world in
            let counted = try await Self.planned(world)
            let journal = MortalJournal(counted.journal)
            _ = try await world.move(counted, journal: journal).apply(isPartial: false)
            try #require(journal.writes >= 6)
            for write in 1...journal.writes {
                let folder = try await Self.planned(world)
                let mortal = MortalJournal(folder.journal, killedAt: write, moment)
                await #expect(throws: MortalJournal.death) {
                    try await world.move(folder, journal: mortal).apply(isPartial: false)
                }
                _ = try await world.move(folder).apply(isPartial: false)
                try await Self.expectAll(world, folder, "killed \(moment) write \(write)")
                // No existing user was sent again: none was rejected.
                #expect(world.writes.allSatisfy { $0.response.status < 400 }, "killed \(moment) write \(write)")
            }
        }
    }

    @Test(.covers("M11", "M14"), arguments: MortalJournal.Moment.allCases)
    func killAfterALostResponseLosesAndDuplicatesNobody(_ moment: MortalJournal.Moment) async throws {
        try await MoveWorld.with(users: Self.users) { world in
            for write in 1... {
                let folder = try await Self.planned(world)
                try world.target.panel.fail(next: 2, Self.creation, with: .delay(.zero))
                try world.target.panel.fail(next: 1, Self.creation, with: .loseResponse)
                let mortal = MortalJournal(folder.journal, killedAt: write, moment)
                let killed = try await world.move(folder, journal: mortal)
                do throws(MigrationError) {
                    _ = try await killed.apply(isPartial: false)
                    // All writes were tried.
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

    @Test(.covers("M11")) func idsThatLookAlikeAreTwoUsers() async throws {
        try await MoveWorld.with { world in
            let ids = ["\u{e9}", "e\u{301}"]
            try await world.importUsers(ids.enumerated().map { MoveWorld.user($0.offset, ["localId": .string($0.element)]) })
            let folder = try world.run()
            let move = try await world.move(folder)
            let plan = try await move.plan()
            #expect(plan.read == 2 && plan.created == 2 && plan.refusedCount == 0, "\(plan)")
            _ = try await move.apply(isPartial: false)
            let report = try await move.verify()
            #expect(report.isSuccess && report.verified == 2, "\(report)")
            for (number, id) in ids.enumerated() {
                let found = try await world.goTrue().user(id: move.mapping.knownID(of: id))
                #expect(found.email == MoveWorld.email(number))
            }
        }
    }

    @Test(.covers("M14", "M15"), arguments: ["429", "500", "503", "close", "lost", "cut", "page"])
    func transportFailuresLoseAndDuplicateNobody(_ name: String) async throws {
        try await MoveWorld.with(users: Self.users) { world in
            let effect: FaultEffect =
                switch name {
                case "429": .retryAfter(seconds: 1)
                case "500": .status(500, body: ["code": "unexpected_failure", "message": "Database error creating new user"])
                case "503": .status(503)
                case "close": .close
                case "lost": .loseResponse
                case "cut": .truncateResponse()
                default: .answer(EmulatorResponse(status: 200, body: Array("<html>Sign in to the network</html>".utf8)))
                }
            let folder = try await Self.planned(world)
            try world.target.panel.fail(next: 2, Self.creation, with: .delay(.zero))
            try world.target.panel.fail(next: 2, Self.creation, with: effect)
            _ = try await world.move(folder).apply(isPartial: false)
            try await Self.expectAll(world, folder, "\(name)")
        }
    }

    /// A request of a killed process arrives after the next process has started.
    ///
    /// The target rejects it, and nobody is lost.
    @Test(.covers("M11", "M14")) func userCreatedByALateRequestIsFound() async throws {
        try await MoveWorld.with(users: 4) { world in
            let folder = try await Self.planned(world)
            let move = try await world.move(folder)
            // The late request arrives between the look-up and the creation.
            let user = try await FirebaseLookUp.user(MoveWorld.id(2), in: world, folder)
            let mapped = move.mapping.map(user)
            _ = try await world.goTrue().create(mapped.new)
            _ = try await move.apply(isPartial: false)
            #expect(try world.targetCount == 4)
            #expect(try await folder.journal.counts() == [.complete: 4])
        }
    }

    @Test(.covers("M15")) func targetThatFailsForEveryUserStopsTheRun() async throws {
        try await MoveWorld.with(users: Self.users) { world in
            let folder = try await Self.planned(world)
            let trouble: JSON = ["code": "unexpected_failure", "message": "Database error creating new user"]
            let fault = try world.target.panel.fail(next: 10_000, Self.creation, with: .status(500, body: trouble))
            let error = await #expect(throws: MigrationError.self) { try await world.move(folder).apply(isPartial: false) }
            #expect(error?.code == .stopped)
            fault.disable()
            _ = try await world.move(folder).apply(isPartial: false)
            #expect(try world.targetCount > 0)
        }
    }

    @Test(.covers("M28")) func runOfAnotherProjectIsRejected() async throws {
        try await MoveWorld.with(users: 2) { world in
            let folder = try await Self.planned(world)
            for move in [
                try await world.move(folder, project: "another"), try await world.move(folder, targetProject: "another"),
            ] {
                for attempt in [
                    { _ = try await move.apply(isPartial: true) }, { _ = try await move.verify() },
                    { _ = try await move.undo(isDry: false) },
                ] as [() async throws -> Void] {
                    let error = await #expect(throws: MigrationError.self) { try await attempt() }
                    #expect(error?.code == .anotherEnd)
                }
            }
            #expect(world.writes.isEmpty)
        }
    }

    @Test func planWithRejectedUsersIsAppliedOnlyInPart() async throws {
        try await MoveWorld.with(users: 2) { world in
            try await world.importUsers([
                ["localId": "no-address", "providerUserInfo": [["providerId": "github.com", "rawId": "h1"]]]
            ])
            let folder = try await Self.planned(world)
            let error = await #expect(throws: MigrationError.self) { try await world.move(folder).apply(isPartial: false) }
            #expect(error?.code == .refusals && world.writes.isEmpty)
            let report = try await world.move(folder).apply(isPartial: true)
            #expect(report.states == [.complete: 2, .refused: 1] && report.failures == 0)
        }
    }

    @Test func usersRemovedOrAddedSinceThePlanAreCounted() async throws {
        try await MoveWorld.with(users: 3) { world in
            let folder = try await Self.planned(world)
            try await FirebaseLookUp.delete(MoveWorld.id(1), in: world)
            try await world.importUsers([MoveWorld.user(7)])
            let report = try await world.move(folder).apply(isPartial: false)
            #expect(report.states == [.complete: 2, .gone: 1] && report.unplanned == 1)
        }
    }

    /// Each kind of hash: the old password signs in, or the plan has named the user.
    @Test(.covers("M03", "M50")) func oldPasswordsSignInOrAreNamed() async throws {
        try await MoveWorld.with(users: 1) { world in
            let move = try await world.move(try world.run())
            try await FirebaseToClerkTests.importHashes(try #require(move.source.directory as? FirebaseDirectory))
            let plan = try await move.plan()
            #expect(plan.ways == [.password: 1, .newPassword: 3, .mailLink: 1], "\(plan)")
            #expect(plan.fields.filter { $0.reason == .hashImported }.map(\.count) == [3])
            #expect(try await move.apply(isPartial: false).states == [.complete: 5])
            for (number, password) in FirebaseToClerkTests.passwords.enumerated() {
                #expect(try await world.opens(MoveWorld.email(number), password) == (number == 0), "\(number)")
                #expect(try await !world.opens(MoveWorld.email(number), "Wrong-1!"))
            }
        }
    }
}
