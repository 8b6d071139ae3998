import LockstepEmulation
import LockstepFirebaseEmulator
import LockstepGoTrueDirectory
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

@testable import LockstepMigration

/// A whole move through the API in which each kind of request fails twice.
@Suite("Faults on each kind of request", .limitedConcurrency)
struct RoadFaultTests {
    private static let requests: [(side: String, match: RequestMatch)] = [
        ("source", RequestMatch("GET", "*/accounts:batchGet")), ("source", RequestMatch("POST", "*/accounts:query")),
        ("target", RequestMatch("GET", "*/admin/users")), ("target", RequestMatch("GET", "*/admin/users/*")),
        ("target", RequestMatch("POST", "*/admin/users")), ("target", RequestMatch("PUT", "*/admin/users/*")),
        ("target", RequestMatch("DELETE", "*/admin/users/*")),
    ]

    private static func effect(_ name: String) -> FaultEffect {
        switch name {
        case "429": .retryAfter(seconds: 1)
        case "500": .status(500, body: ["code": "unexpected_failure", "message": "Database error"])
        case "503": .status(503)
        case "close": .close
        case "lost answer": .loseResponse
        case "cut answer": .truncateResponse()
        case "hang": .hang
        default: .answer(EmulatorResponse(status: 200, body: Array("<html>Sign in to the network</html>".utf8)))
        }
    }

    /// Continues a step, like a person who reads that the run was stopped.
    private static func continued<Value>(_ step: () async throws -> Value) async throws -> Value {
        for _ in 0..<6 {
            do {
                return try await step()
            } catch let error as MigrationError where error.code == .stopped {
                continue
            }
        }
        return try await step()
    }

    /// Follows until a whole call finds nothing.
    ///
    /// The next call retries a change that failed because of a fault.
    private static func followToTheEnd(_ world: MoveWorld, _ folder: RunFolder) async throws {
        for _ in 0..<6 where try await continued({ try await world.move(folder).follow(isDry: false) }).total > 0 {}
        let last = try await continued { try await world.move(folder).follow(isDry: false) }
        #expect(last.isSuccess && last.total == 0, "\(last)")
    }

    @Test(.covers("M15"), arguments: ["429", "500", "503", "close", "lost answer", "cut answer", "hang", "page of a network"])
    func faultsLoseAndDuplicateNobody(_ name: String) async throws {
        let users = 8
        try await MoveWorld.with(users: users) { world in
            var world = world
            // A hanging request ends at the deadline.
            if name == "hang" { world.deadline = .seconds(1) }
            let folder = try world.run()
            for (side, match) in Self.requests {
                if side == "source" {
                    try world.source.panel.fail(next: 2, match, with: Self.effect(name))
                } else {
                    try world.target.panel.fail(next: 2, match, with: Self.effect(name))
                }
            }
            let plan = try await Self.continued { try await world.move(folder).plan() }
            #expect(plan.created == users && plan.isConsistent)
            let report = try await Self.continued { try await world.move(folder).apply(isPartial: false) }
            #expect(report.states == [.complete: users])
            #expect(try world.targetCount == users)
            #expect(try await Self.continued { try await world.move(folder).verify() }.verified == users)
            try await FirebaseLookUp.update(MoveWorld.id(0), in: world) { $0.displayName = "Renamed" }
            try await world.importUsers([MoveWorld.user(users)])
            try world.source.emulator.admin.deleteUser(MoveWorld.id(1))
            try await Self.followToTheEnd(world, folder)
            let renamed = try await world.goTrue().user(email: MoveWorld.email(0))
            #expect(renamed?.displayName == "Renamed")
            #expect(try world.targetCount == users)
            #expect(try await folder.journal.counts() == [.verified: users - 2, .complete: 2, .gone: 1])
            _ = try await Self.continued { try await world.move(folder).undo(isDry: false) }
            #expect(try world.targetCount == 0)
            #expect(try await folder.journal.counts() == [.undone: users, .gone: 1])
        }
    }
}
