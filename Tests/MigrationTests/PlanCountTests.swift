import LockstepEmulation
import LockstepFirebaseEmulator
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

@testable import LockstepMigration

/// Users read = the source's own count = sum of outcomes.
///
/// A short, repeated or truncated page is an error, never the end of the list.
@Suite(.limitedConcurrency) struct PlanCountTests {
    /// Plans with a list whose pages are all changed.
    private static func error(changing page: FaultEffect, times: Int = 100) async throws -> MigrationError? {
        try await MoveWorld.with(users: 4) { world in
            try world.source.panel.fail(next: times, "GET", "*/accounts:batchGet", with: page)
            let folder = try world.run()
            let error = await #expect(throws: MigrationError.self) { try await world.move(folder).plan() }
            // There is no plan that an apply could use, and nothing was written.
            let refusal = await #expect(throws: MigrationError.self) { try await world.move(folder).apply(isPartial: true) }
            #expect(refusal?.code == .notPlanned && world.writes.isEmpty)
            return error
        }
    }

    private static func changing(_ change: @escaping @Sendable (inout JSONObject) -> Void) -> FaultEffect {
        .changeResponse { response in
            guard var object = (try? JSON.parse(response.body))?.object else { return response }
            change(&object)
            var copy = response
            copy.body = JSON.object(object).bytes()
            return copy
        }
    }

    @Test(.covers("M54")) func shortPageEndsThePlanWithBothNumbers() async throws {
        let error = try await Self.error(
            changing: Self.changing { $0["users"] = .array(Array(($0["users"]?.array ?? []).dropLast())) })
        #expect(error?.code == .count)
        #expect(error?.message.contains("reports 4 users, but returned 3") == true)
    }

    @Test func emptyListEndsThePlan() async throws {
        let error = try await Self.error(changing: Self.changing { $0["users"] = nil })
        #expect(error?.code == .count && error?.message.contains("reports 4 users, but returned 0") == true)
    }

    @Test(.covers("M54")) func alwaysTruncatedPageEndsThePlan() async throws {
        let error = try await Self.error(changing: .truncateResponse(after: 100))
        #expect(error?.code == .stopped)
    }

    @Test func onceTruncatedPageIsReadAgain() async throws {
        try await MoveWorld.with(users: 4) { world in
            try world.source.panel.fail(next: 1, "GET", "*/accounts:batchGet", with: .truncateResponse(after: 100))
            #expect(try await world.move(try world.run()).plan().created == 4)
        }
    }

    @Test func repeatedUserIsReadOnce() async throws {
        try await MoveWorld.with(users: 4) { world in
            try world.source.panel.fail(
                next: 100, "GET", "*/accounts:batchGet",
                with: Self.changing { object in
                    let users = object["users"]?.array ?? []
                    object["users"] = .array(users + users.prefix(1))
                })
            #expect(try await world.move(try world.run()).plan().created == 4)
        }
    }

    /// A list can return a user again much later.
    ///
    /// Then the count does not show whom it left out.
    @Test func userRepeatedPagesLaterEndsThePlan() async throws {
        try await MoveWorld.with { world in
            let users = (0..<1600).map { DirectoryUser(id: "u\($0)") }
            let source = ListedUsers(users + users.prefix(1))
            let move = try await world.move(try world.run())
            let plan = UserMove(
                from: MoveSource(source, project: "demo"), to: move.target, move.choices, key: move.key, journal: move.journal,
                clock: HastyClock())
            let error = await #expect(throws: MigrationError.self) { try await plan.plan() }
            #expect(error?.code == .count || error?.code == .stopped, "\(error?.message ?? "")")
        }
    }

    /// A killed plan is incomplete, and is made again.
    @Test func planKilledAtAnyWriteIsRepeated() async throws {
        try await MoveWorld.with(users: 4) { world in
            let whole = MortalJournal(try world.run().journal)
            func plan(_ move: UserMove) async throws -> PlanSummary {
                var plan = try await move.plan()
                // A slow machine reads the users for more than a second.
                plan.writing?.seconds = nil
                return plan
            }
            let expected = try await plan(world.move(try world.run(), journal: whole))
            for number in 1...whole.writes {
                for moment in MortalJournal.Moment.allCases {
                    let folder = try world.run()
                    let mortal = MortalJournal(folder.journal, killedAt: number, moment)
                    await #expect(throws: MigrationError.self) { try await world.move(folder, journal: mortal).plan() }
                    folder.close()
                    let again = try RunFolder.open(folder.id, in: world.folder)
                    defer { again.close() }
                    let isWhole = number == whole.writes && moment == .after
                    #expect(try await (again.journal.head()?.plan != nil) == isWhole, "\(number) \(moment)")
                    #expect(try await plan(world.move(again)) == expected)
                }
            }
            #expect(world.writes.isEmpty)
        }
    }

    @Test(.covers("M02", "M54"), arguments: [5, 3, 0]) func wrongSourceCountEndsThePlan(_ claim: Int) async throws {
        try await MoveWorld.with(users: 4) { world in
            let lie = JSON.string(String(claim))
            try world.source.panel.fail(next: 10, "POST", "*/accounts:query", with: .answer(.json(["recordsCount": lie])))
            let error = await #expect(throws: MigrationError.self) { try await world.move(try world.run()).plan() }
            #expect(error?.code == .count && error?.message.contains("reports \(claim) users, but returned 4") == true)
        }
    }

    /// Users are added while the source is read.
    ///
    /// The plan contains both counts, and the number of read users is between them.
    @Test func usersAddedMeanwhileCauseNoError() async throws {
        try await MoveWorld.with(users: 4) { world in
            try world.source.panel.fail(next: 1, "POST", "*/accounts:query", with: .answer(.json(["recordsCount": "3"])))
            let plan = try await world.move(try world.run()).plan()
            #expect(plan.read == 4 && plan.countedBefore == 3 && plan.counted == 4 && plan.isConsistent)
            #expect(plan.text.contains("4 users read, the project reported 3 before and 4 after"))
        }
    }
}
