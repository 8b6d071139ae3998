import LockstepGoTrueDirectory
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

@testable import LockstepMigration

@Suite(.limitedConcurrency) struct VerifyTests {
    /// An applied run.
    static func applied(_ world: MoveWorld) async throws -> (RunFolder, UserMove) {
        let folder = try world.run()
        let move = try await world.move(folder)
        _ = try await move.plan()
        _ = try await move.apply(isPartial: true)
        return (folder, move)
    }

    @Test func verifiedUsersMatchTheWrittenValues() async throws {
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

    @Test(.covers("M29")) func changedValueIsNamedWithBothValues() async throws {
        try await MoveWorld.with(users: 5) { world in
            let (folder, move) = try await Self.applied(world)
            var changes = DirectoryChanges()
            changes.displayName = "User 2 "
            let id = move.mapping.knownID(of: MoveWorld.id(2))
            _ = try await world.goTrue().update(id, changes)
            let report = try await move.verify()
            #expect(!report.isSuccess && report.verified == 4 && report.differingCount == 1)
            let difference = try #require(report.differing.first)
            #expect(difference.targetID == id && difference.fields == ["name"] && !difference.isSourceChanged)
            #expect(difference.values.map(\.source) == ["User 2"] && difference.values.map(\.target) == ["User 2 "])
            #expect(try await folder.journal.counts()[.differs] == 1)
        }
    }

    @Test func missingUserIsNamed() async throws {
        try await MoveWorld.with(users: 5) { world in
            let (_, move) = try await Self.applied(world)
            let id = move.mapping.knownID(of: MoveWorld.id(3))
            try await world.goTrue().delete(id)
            let report = try await move.verify()
            #expect(report.missing == [MoveWorld.id(3)] && report.verified == 4 && !report.isSuccess)
        }
    }

    @Test func missingUsersFailTheVerification() async throws {
        try await MoveWorld.with(users: 5) { world in
            let move = try await world.move(try world.run())
            _ = try await move.plan()
            let report = try await move.verify()
            #expect(report.open == 5 && !report.isSuccess)
        }
    }

    @Test func userChangedInTheSourceIsReported() async throws {
        try await MoveWorld.with(users: 3) { world in
            let (_, move) = try await Self.applied(world)
            try await FirebaseLookUp.update(MoveWorld.id(1), in: world) { $0.displayName = "Renamed" }
            // The target is as it was written, and the verification compares it with that.
            #expect(try await move.verify().isSuccess)
            var changes = DirectoryChanges()
            changes.photoURL = "https://example.com/b.png"
            _ = try await world.goTrue().update(move.mapping.knownID(of: MoveWorld.id(1)), changes)
            let difference = try #require(try await move.verify().differing.first)
            #expect(difference.fields == ["name", "photo"] && difference.isSourceChanged)
        }
    }

    @Test(.covers("M29")) func flippedByteOfARowIsFoundAndNamed() async throws {
        try await MoveWorld.with(users: 5) { world in
            let rows = try await RowsTarget()
            let folder = try world.run()
            let move = try await UserMove(
                from: world.move(folder).source, to: rows.target(), MoveChoices(), key: folder.key, journal: folder.journal,
                clock: HastyClock())
            _ = try await move.plan()
            _ = try await move.apply(isPartial: true)
            let clean = try await move.verify()
            #expect(clean.isSuccess && clean.hashes.allSatisfy(\.isReadBack), "\(clean)")
            func id(_ number: Int) -> String { move.mapping.knownID(of: MoveWorld.id(number)) }
            // One byte of a hash in base64, and one of a name.
            try await rows.sql(
                "UPDATE auth.users SET encrypted_password = left(encrypted_password, -10) || CASE left(right(encrypted_password, 10), 1) WHEN 'A' THEN 'B' ELSE 'A' END || right(encrypted_password, 9) WHERE id = '\(id(0))'"
            )
            try await rows.sql(
                "UPDATE auth.users SET raw_user_meta_data = raw_user_meta_data || '{\"display_name\": \"User 2\"}' WHERE id = '\(id(1))'"
            )
            // A user who has signed in can have another hash, because the server hashes it again. Another name is still a
            // difference.
            for number in [2, 3] {
                try await rows.sql(
                    "UPDATE auth.users SET encrypted_password = '$2a$04$' || left(md5(id::text) || md5(email), 53), last_sign_in_at = now() WHERE id = '\(id(number))'"
                )
            }
            try await rows.sql("UPDATE auth.users SET banned_until = now() + interval '1 year' WHERE id = '\(id(3))'")
            try await rows.sql("UPDATE auth.users SET encrypted_password = '' WHERE id = '\(id(4))'")
            let report = try await move.verify()
            #expect(report.verified == 1 && report.differingCount == 4, "\(report)")
            let fields = Dictionary(uniqueKeysWithValues: report.differing.map { ($0.sourceID, $0.fields) })
            #expect(
                fields == [
                    MoveWorld.id(0): ["password"], MoveWorld.id(1): ["name"], MoveWorld.id(3): ["disabled", "end of a ban"],
                    MoveWorld.id(4): ["password"],
                ])
            // No hash is in the report.
            #expect(!"\(report)".contains("$fbscrypt$") && !"\(report)".contains("$2a$"))
        }
    }
}
