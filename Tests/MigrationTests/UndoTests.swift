import LockstepCurl
import LockstepEmulation
import LockstepGoTrue
import LockstepGoTrueDirectory
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

@testable import LockstepMigration

@Suite(.limitedConcurrency) struct UndoTests {
    static func signIn(_ world: MoveWorld, _ number: Int) async throws {
        let clock = SystemClock()
        let adapter = GoTrueAdapter(try GoTrueConfiguration(url: world.target.base, key: "anon"), transport: CurlTransport())
        let client = AuthClient(
            adapter: adapter, store: MemorySessionStore(clock: clock),
            effects: ClientEffects(clock: clock, randomness: SystemRandomness()))
        let step = try await client.signIn(with: .password(email: MoveWorld.email(number), password: MoveWorld.password))
        try #require(step.session != nil)
    }

    @Test(.covers("M35")) func undoDeletesOnlyUsersOfItsRun() async throws {
        try await MoveWorld.with(users: 6) { world in
            // One user was on the target before, as the run would write it. Another one does not belong to the run.
            let first = try world.run()
            let former = try await world.move(first)
            _ = try await former.plan()
            let adopted = try await FirebaseLookUp.user(MoveWorld.id(0), in: world, first)
            _ = try await world.goTrue().create(former.mapping.map(adopted).new)
            _ = try await world.goTrue().create(NewDirectoryUser(email: "other@example.com"))
            let (folder, move) = try await VerifyTests.applied(world)
            #expect(try await folder.journal.counts() == [.adopted: 1, .complete: 5])
            try await Self.signIn(world, 1)
            var changes = DirectoryChanges()
            changes.displayName = "Changed"
            _ = try await world.goTrue().update(move.mapping.knownID(of: MoveWorld.id(2)), changes)
            let dry = try await move.undo(isDry: true)
            #expect(dry.deleted == 3 && dry.keptCount == 2 && world.writes.allSatisfy { $0.request.method != "DELETE" })
            let report = try await move.undo(isDry: false)
            #expect(report.deleted == 3 && report.gone == 0 && report.refused == 0)
            #expect(Set(report.kept.map(\.sourceID)) == [MoveWorld.id(1), MoveWorld.id(2)])
            #expect(Set(report.kept.map(\.reason)) == [.signedIn, .changed])
            #expect(try world.targetCount == 4)
            #expect(try await folder.journal.counts() == [.adopted: 1, .kept: 2, .undone: 3])
            #expect(try await move.undo(isDry: false).deleted == 0)
        }
    }

    @Test(.covers("M35"), arguments: MortalJournal.Moment.allCases)
    func killAtEachWriteLeavesNothingUndecided(_ moment: MortalJournal.Moment) async throws {
        try await MoveWorld.with(users: 6) { world in
            for write in 1... {
                try world.target.panel.reset()
                let (folder, _) = try await VerifyTests.applied(world)
                let mortal = MortalJournal(folder.journal, killedAt: write, moment)
                let killed = try await world.move(folder, journal: mortal)
                do throws(MigrationError) {
                    _ = try await killed.undo(isDry: false)
                    // All writes were tried.
                    #expect(write > 4)
                    break
                } catch {
                    #expect(error == MortalJournal.death)
                }
                _ = try await world.move(folder).undo(isDry: false)
                #expect(try world.targetCount == 0, "killed \(moment) write \(write)")
                #expect(try await folder.journal.counts() == [.undone: 6], "killed \(moment) write \(write)")
            }
        }
    }

    @Test func lostResponseToADeletionIsResolved() async throws {
        try await MoveWorld.with(users: 6) { world in
            let (folder, move) = try await VerifyTests.applied(world)
            try world.target.panel.fail(next: 2, "DELETE", "*/admin/users/*", with: .loseResponse)
            let report = try await move.undo(isDry: false)
            #expect(report.deleted == 6 && report.gone == 0)
            #expect(try world.targetCount == 0)
            #expect(try await folder.journal.counts() == [.undone: 6])
        }
    }
}
