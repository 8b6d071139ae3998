import LockstepGoTrueDirectory
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

@testable import LockstepMigration

@Suite(.limitedConcurrency) struct VerifyTests {
    /// A run that is applied.
    static func applied(_ world: MoveWorld) async throws -> (RunFolder, UserMove) {
        let folder = try world.run()
        let move = try await world.move(folder)
        _ = try await move.plan()
        _ = try await move.apply(isPartial: true)
        return (folder, move)
    }

    @Test func usersAreVerifiedAsTheyWereWritten() async throws {
        try await MoveWorld.with(users: 6) { world in
            try await world.importUsers([
                MoveWorld.user(
                    20,
                    [
                        "displayName": "\u{1F469}\u{200D}\u{1F467} O'Brien \u{202E}\u{5E9}",
                        "photoUrl": "https://example.com/a.png",
                        "customAttributes": "{\"b\":{\"y\":1,\"x\":[1,2.5,null]},\"a\":\"\u{E9}\"}",
                        "phoneNumber": "+4915112345678",
                    ]),
                MoveWorld.user(21, ["disabled": true]), MoveWorld.user(22, ["emailVerified": false]),
            ])
            let (folder, move) = try await Self.applied(world)
            let report = try await move.verify()
            #expect(report.isSuccess && report.verified == 9, "\(report)")
            #expect(try await folder.journal.counts() == [.verified: 9])
        }
    }

    /// Cases: J21.
    @Test(arguments: ["address", "name", "photo", "claims", "user data", "disabled", "number"])
    func oneChangedValueIsFoundAndNamed(_ field: String) async throws {
        try await MoveWorld.with(users: 5) { world in
            let (folder, move) = try await Self.applied(world)
            var changes = DirectoryChanges()
            switch field {
            case "address": changes.email = "user9@example.com"
            case "name": changes.displayName = "User 2 "
            case "photo": changes.photoURL = "https://example.com/b.png"
            case "claims": changes.appMetadata = ["role": "admin"]
            case "user data": changes.userMetadata = ["theme": "dark"]
            case "number": changes.phone = "+4915112345670"
            default: changes.isDisabled = true
            }
            let id = move.mapping.targetID(of: MoveWorld.id(2))
            _ = try await world.goTrue().update(id, changes)
            let report = try await move.verify()
            #expect(!report.isSuccess && report.verified == 4 && report.differingCount == 1)
            let difference = try #require(report.differing.first)
            #expect(difference.targetID == id && difference.fields.contains(field), "\(difference.fields)")
            #expect(try await folder.journal.counts()[.differs] == 1)
        }
    }

    @Test func missingUserIsNamed() async throws {
        try await MoveWorld.with(users: 5) { world in
            let (_, move) = try await Self.applied(world)
            let id = move.mapping.targetID(of: MoveWorld.id(3))
            try await world.goTrue().delete(id)
            let report = try await move.verify()
            #expect(report.missing == [id] && report.verified == 4 && !report.isSuccess)
        }
    }

    @Test func usersWhoAreNotMadeYetAreNoSuccess() async throws {
        try await MoveWorld.with(users: 5) { world in
            let move = try await world.move(try world.run())
            _ = try await move.plan()
            let report = try await move.verify()
            #expect(report.open == 5 && !report.isSuccess)
        }
    }
}
