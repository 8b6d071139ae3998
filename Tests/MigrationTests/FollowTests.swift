import LockstepEmulation
import LockstepFirebaseEmulator
import LockstepGoTrueDatabase
import LockstepGoTrueDirectory
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

@testable import LockstepMigration

@Suite(.limitedConcurrency) struct FollowTests {
    private static func target(_ number: Int, _ move: UserMove, in world: MoveWorld) async throws -> DirectoryUser {
        try await world.goTrue().user(id: move.mapping.knownID(of: MoveWorld.id(number)))
    }

    /// In the source one user is changed, one deleted, two are new.
    private static func changeSource(_ world: MoveWorld) async throws {
        try await FirebaseLookUp.update(MoveWorld.id(0), in: world) { changes in
            (changes.displayName, changes.email, changes.isEmailConfirmed) = ("Renamed", "renamed@example.com", true)
            (changes.isDisabled, changes.appMetadata) = (true, ["role": "admin"])
        }
        try await FirebaseLookUp.delete(MoveWorld.id(1), in: world)
        try await world.importUsers([MoveWorld.user(10), MoveWorld.user(11, ["disabled": true])])
    }

    private static func expectFollowed(_ world: MoveWorld, _ move: UserMove, _ comment: Comment) async throws {
        #expect(try world.targetCount == 7, comment)
        let changed = try await target(0, move, in: world)
        #expect(changed.displayName == "Renamed" && changed.email == "renamed@example.com", comment)
        #expect(changed.isEmailConfirmed && changed.isDisabled && changed.appMetadata["role"] == "admin", comment)
        await #expect(throws: AuthError.self, comment) { try await target(1, move, in: world) }
        #expect(try await target(10, move, in: world).isDisabled == false, comment)
        #expect(try await target(11, move, in: world).isDisabled, comment)
    }

    @Test(.covers("M33")) func followCopiesChangesAndASecondFindsNone() async throws {
        try await MoveWorld.with(users: 6) { world in
            let (folder, move) = try await VerifyTests.applied(world)
            #expect(try await move.follow(isDry: false).total == 0)
            try await Self.changeSource(world)
            let requests = world.writes.count
            let dry = try await move.follow(isDry: true)
            #expect(dry.created == 2 && dry.changed == 1 && dry.deleted == 1 && world.writes.count == requests)
            let report = try await move.follow(isDry: false)
            #expect(report.created == 2 && report.changed == 1 && report.deleted == 1 && report.passes == 2)
            #expect(report.isSuccess && report.findings.isEmpty, "\(report)")
            try await Self.expectFollowed(world, move, "followed")
            let again = try await world.move(folder).follow(isDry: false)
            #expect(again.total == 0 && again.passes == 1 && again.isSuccess)
            let verified = try await move.verify()
            #expect(verified.isSuccess && verified.verified == 7, "\(verified)")
            // An undo also covers the users that a follow has created and changed.
            #expect(try await move.undo(isDry: false).deleted == 7)
            let error = await #expect(throws: MigrationError.self) { try await move.follow(isDry: false) }
            #expect(error?.code == .notApplied)
        }
    }

    @Test(.covers("M11", "M33"), arguments: MortalJournal.Moment.allCases)
    func killAtEachWriteLosesAndDuplicatesNothing(_ moment: MortalJournal.Moment) async throws {
        for write in 1... {
            let isOver = try await MoveWorld.with(users: 6) { world in
                let (folder, move) = try await VerifyTests.applied(world)
                try await Self.changeSource(world)
                let mortal = MortalJournal(folder.journal, killedAt: write, moment)
                let killed = try await world.move(folder, journal: mortal)
                do throws(MigrationError) {
                    _ = try await killed.follow(isDry: false)
                    // All writes were tried.
                    #expect(write > 6)
                    return true
                } catch {
                    #expect(error == MortalJournal.death)
                }
                let report = try await world.move(folder).follow(isDry: false)
                #expect(report.isSuccess, "killed \(moment) write \(write): \(report)")
                try await Self.expectFollowed(world, move, "killed \(moment) write \(write)")
                #expect(try await folder.journal.changing(after: 0, limit: 1).isEmpty)
                #expect(try await folder.journal.counts() == [.complete: 7, .gone: 1], "killed \(moment) write \(write)")
                return false
            }
            if isOver { break }
        }
    }

    @Test(arguments: ["PUT", "DELETE", "POST"], ["lost", "503", "close"])
    func transportFailuresLoseAndDuplicateNothing(_ method: String, _ name: String) async throws {
        try await MoveWorld.with(users: 6) { world in
            let (_, move) = try await VerifyTests.applied(world)
            try await Self.changeSource(world)
            let effect: FaultEffect =
                switch name {
                case "lost": .loseResponse
                case "503": .status(503)
                default: .close
                }
            try world.target.panel.fail(next: 1, method, "*/admin/users*", with: effect)
            let report = try await move.follow(isDry: false)
            #expect(report.isSuccess && report.created == 2 && report.changed == 1 && report.deleted == 1, "\(report)")
            try await Self.expectFollowed(world, move, "\(method) \(name)")
        }
    }

    @Test(.covers("M33")) func userChangedOnBothSidesIsNamedAndKept() async throws {
        try await MoveWorld.with(users: 3) { world in
            let (_, move) = try await VerifyTests.applied(world)
            try await FirebaseLookUp.update(MoveWorld.id(0), in: world) { $0.displayName = "Source" }
            try await FirebaseLookUp.update(MoveWorld.id(2), in: world) { $0.displayName = "Equal" }
            for (number, name) in [(0, "Target"), (1, "Only here"), (2, "Equal")] {
                var changes = DirectoryChanges()
                changes.displayName = name
                _ = try await world.goTrue().update(move.mapping.knownID(of: MoveWorld.id(number)), changes)
            }
            let report = try await move.follow(isDry: false)
            #expect(report.total == 0 && !report.isSuccess)
            #expect(report.named.map(\.sourceID) == [MoveWorld.id(0)])
            #expect(report.named.first?.finding == .changedOnBothSides && report.named.first?.details == ["name"])
            #expect(try await Self.target(0, move, in: world).displayName == "Target")
            // A user who changed only on the target is active only there.
            #expect(try await Self.target(1, move, in: world).displayName == "Only here")
        }
    }

    @Test(.covers("M34")) func deletedUserStaysDeletedOnBothSides() async throws {
        try await MoveWorld.with(users: 4) { world in
            let (folder, move) = try await VerifyTests.applied(world)
            try await world.goTrue().delete(move.mapping.knownID(of: MoveWorld.id(0)))
            try await FirebaseLookUp.update(MoveWorld.id(0), in: world) { $0.displayName = "Changed" }
            try await FirebaseLookUp.delete(MoveWorld.id(1), in: world)
            let report = try await move.follow(isDry: false)
            #expect(report.deleted == 1 && report.created == 0 && report.isSuccess, "\(report)")
            // The same id returns to the source.
            try await world.importUsers([MoveWorld.user(1)])
            let again = try await world.move(folder).follow(isDry: false)
            #expect(again.total == 0 && again.isSuccess)
            #expect(again.findings == [.staysDeleted: 2], "\(again)")
            _ = try await world.move(folder).apply(isPartial: true)
            #expect(try world.targetCount == 2)
            #expect(try await folder.journal.counts() == [.complete: 2, .gone: 2])
        }
    }

    /// A user deleted in the source is kept on the target if anything has happened there since.
    @Test(.covers("M34")) func deletedUserWhoIsActiveOnTheTargetIsNamedAndKept() async throws {
        try await MoveWorld.with(users: 4) { world in
            let first = try world.run()
            let former = try await world.move(first)
            _ = try await former.plan()
            let adopted = try await FirebaseLookUp.user(MoveWorld.id(3), in: world, first)
            _ = try await world.goTrue().create(former.mapping.map(adopted).new)
            let (_, move) = try await VerifyTests.applied(world)
            try await UndoTests.signIn(world, 0)
            var changes = DirectoryChanges()
            changes.displayName = "Changed"
            _ = try await world.goTrue().update(move.mapping.knownID(of: MoveWorld.id(1)), changes)
            for number in 0..<4 { try await FirebaseLookUp.delete(MoveWorld.id(number), in: world) }
            try await world.importUsers([MoveWorld.user(9)])
            let report = try await move.follow(isDry: false)
            #expect(report.deleted == 1 && report.created == 1 && !report.isSuccess)
            #expect(report.findings == [.deletedButSignedIn: 1, .deletedButChanged: 1, .deletedButAdopted: 1], "\(report)")
            #expect(try world.targetCount == 4)
        }
    }

    /// GoTrue's API keeps a changed address verified, so an unverified address must not be sent.
    @Test(.covers("M16")) func unverifiedAddressIsNotSent() async throws {
        try await MoveWorld.with(users: 2) { world in
            let (_, move) = try await VerifyTests.applied(world)
            try await FirebaseLookUp.update(MoveWorld.id(0), in: world) { changes in
                (changes.email, changes.isEmailConfirmed, changes.displayName) = ("new@example.com", false, "Renamed")
            }
            let report = try await move.follow(isDry: false)
            #expect(report.changed == 1 && !report.isSuccess)
            #expect(report.named.first?.finding == .changedInPart)
            #expect(report.named.first?.details == ["address", "address verified"])
            let user = try await Self.target(0, move, in: world)
            #expect(user.email == MoveWorld.email(0) && user.displayName == "Renamed")
            // It is named again, and nothing else is sent.
            let requests = world.writes.count
            #expect(try await move.follow(isDry: false).findings == [.notUpdatable: 1])
            #expect(world.writes.count == requests)
            // After the verification the address is copied.
            try await FirebaseLookUp.update(MoveWorld.id(0), in: world) { $0.isEmailConfirmed = true }
            #expect(try await move.follow(isDry: false).isSuccess)
            #expect(try await Self.target(0, move, in: world).email == "new@example.com")
        }
    }

    @Test func unchangeablePasswordIsNamedUntilItCanChange() async throws {
        try await MoveWorld.with(users: 2) { world in
            let (folder, move) = try await VerifyTests.applied(world)
            try await FirebaseLookUp.update(MoveWorld.id(0), in: world) { changes in
                (changes.password, changes.displayName) = ("Another-Password-2!", "Renamed")
            }
            for _ in 0..<2 {
                let report = try await move.follow(isDry: false)
                #expect(!report.isSuccess && report.named.first?.details == ["password"], "\(report)")
            }
            #expect(try await Self.target(0, move, in: world).displayName == "Renamed")
            let able = try await world.move(folder) { target in
                target.setPasswordHash = { hash, id throws(AuthError) in
                    #expect(hash.reveal().hasPrefix("$fbscrypt$") && id == move.mapping.knownID(of: MoveWorld.id(0)))
                }
            }
            #expect(try await able.follow(isDry: false).changed == 1)
            #expect(try await able.follow(isDry: false).total == 0)
        }
    }

    /// A password is a request of its own: whatever becomes of it, the run knows what the target has.
    @Test(arguments: ["rejected", "lost", "stopped"]) func passwordThatIsNotWrittenIsWrittenLater(_ end: String) async throws {
        try await MoveWorld.with(users: 2) { world in
            let rows = try await RowsTarget()
            let folder = try world.run()
            let source = try await world.move(folder).source
            let calls = LossyRows.Counter()
            func move(_ password: (@Sendable (Secret, String) async throws(AuthError) -> Void)? = nil) throws -> UserMove {
                var target = try rows.target()
                if let password { target.setPasswordHash = password }
                return UserMove(
                    from: source, to: target, MoveChoices(), key: folder.key, journal: folder.journal, clock: HastyClock())
            }
            _ = try await move().plan()
            _ = try await move().apply(isPartial: true)
            try await FirebaseLookUp.update(MoveWorld.id(0), in: world) { changes in
                (changes.password, changes.displayName) = ("Another-Password-2!", "Renamed")
            }
            let database = try rows.rows()
            let faulty = try move { hash, id throws(AuthError) in
                if end == "rejected" { throw AuthError(.invalidInput, "no", provider: ProviderDetail(status: 400)) }
                guard calls.next() > (end == "lost" ? 1 : 1000) else { throw AuthError(.network, "lost") }
                try await database.setPasswordHash(hash, of: id)
            }
            do throws(MigrationError) {
                let report = try await faulty.follow(isDry: false)
                #expect(report.changed == 1 && report.isSuccess == (end == "lost"), "\(report)")
                #expect(report.named.map(\.finding) == (end == "lost" ? [] : [.changedInPart]), "\(report)")
            } catch {
                #expect(end == "stopped" && error.code == .stopped, "\(error)")
            }
            let id = faulty.mapping.knownID(of: MoveWorld.id(0))
            #expect(try await database.user(id: id).displayName == "Renamed")
            let again = try await move().follow(isDry: false)
            #expect(again.isSuccess, "\(again)")
            let hash = try PasswordHash(try #require(try await database.user(id: id).passwordHash).reveal())
            #expect(try hash.verify("Another-Password-2!"))
        }
    }

    /// The former owner releases an address in the same pass in which another user wants it.
    @Test func freedAddressIsGivenToItsNewOwner() async throws {
        try await MoveWorld.with(users: 4) { world in
            let (_, move) = try await VerifyTests.applied(world)
            try await FirebaseLookUp.update(MoveWorld.id(1), in: world) { changes in
                (changes.email, changes.isEmailConfirmed) = ("moved@example.com", true)
            }
            // In the order of the source, this user comes before the former owner.
            try await FirebaseLookUp.update(MoveWorld.id(0), in: world) { changes in
                (changes.email, changes.isEmailConfirmed) = (MoveWorld.email(1), true)
            }
            try await FirebaseLookUp.delete(MoveWorld.id(2), in: world)
            try await world.importUsers([
                MoveWorld.user(11, ["email": .string(MoveWorld.email(0))]),
                MoveWorld.user(12, ["email": .string(MoveWorld.email(2))]),
            ])
            let report = try await move.follow(isDry: false)
            #expect(report.isSuccess && report.created == 2 && report.changed == 2 && report.deleted == 1, "\(report)")
            for (number, email) in [
                (0, MoveWorld.email(1)), (1, "moved@example.com"), (11, MoveWorld.email(0)), (12, MoveWorld.email(2)),
            ] {
                #expect(try await Self.target(number, move, in: world).email == email)
            }
        }
    }

    @Test func newUserWithATakenAddressIsNamed() async throws {
        try await MoveWorld.with(users: 2) { world in
            let (_, move) = try await VerifyTests.applied(world)
            _ = try await world.goTrue().create(NewDirectoryUser(email: "user9@example.com"))
            try await world.importUsers([
                MoveWorld.user(9), MoveWorld.user(10, ["mfaInfo": [["mfaEnrollmentId": "f", "phoneInfo": "+4915112345679"]]]),
            ])
            let report = try await move.follow(isDry: false)
            #expect(report.created == 0 && !report.isSuccess)
            #expect(Set(report.named.map(\.sourceID)) == [MoveWorld.id(9), MoveWorld.id(10)], "\(report)")
            #expect(report.findings == [.rejected: 1, .refused: 1])
        }
    }

    /// Nothing on the target asks this user for the factor; what else has changed is still copied.
    @Test func userWhoAddsAnUnmovableFactorIsNamed() async throws {
        try await MoveWorld.with(users: 2) { world in
            let (_, move) = try await VerifyTests.applied(world)
            try await FirebaseLookUp.delete(MoveWorld.id(0), in: world)
            try await world.importUsers([
                MoveWorld.user(
                    0, ["mfaInfo": [["mfaEnrollmentId": "f", "phoneInfo": "+4915112345679"]], "disabled": true])
            ])
            let report = try await move.follow(isDry: false)
            #expect(!report.isSuccess && report.findings[.nowRefused] == 1, "\(report)")
            let named = report.named.first { $0.finding == .nowRefused }
            #expect(named?.sourceID == MoveWorld.id(0) && named?.details == [UserReason.phoneFactor.rawValue], "\(report)")
            #expect(try await Self.target(0, move, in: world).isDisabled)
        }
    }

    @Test func unappliedRunCannotBeFollowed() async throws {
        try await MoveWorld.with(users: 2) { world in
            let move = try await world.move(try world.run())
            _ = try await move.plan()
            let error = await #expect(throws: MigrationError.self) { try await move.follow(isDry: false) }
            #expect(error?.code == .notApplied && world.writes.isEmpty)
        }
    }

    @Test func changedPasswordIsReported() async throws {
        try await MoveWorld.with(users: 4) { world in
            let rows = try await RowsTarget()
            let folder = try world.run()
            let move = try await UserMove(
                from: world.move(folder).source, to: rows.target(), MoveChoices(), key: folder.key, journal: folder.journal,
                clock: HastyClock())
            _ = try await move.plan()
            _ = try await move.apply(isPartial: true)
            // On the source, on the target, and on both sides.
            for number in [0, 2] {
                try await FirebaseLookUp.update(MoveWorld.id(number), in: world) { $0.password = "Another-Password-2!" }
            }
            let hash: Secret = "$2b$06$Bqb3kuM2wEn2sVlu6LdHAe5G7c6TSCkQKlgKZECRlGrXC/V0kjLOG"
            for number in [1, 2] {
                try await rows.rows().setPasswordHash(hash, of: move.mapping.knownID(of: MoveWorld.id(number)))
            }
            let verified = try await move.verify()
            #expect(verified.differing.map(\.sourceID) == [1, 2].map(MoveWorld.id), "\(verified)")
            // Firebase returns no hash for a single user. Only `follow`, which reads the list, sees the new password there.
            #expect(verified.differing.map(\.isSourceChanged) == [false, false])
            #expect(verified.differing.allSatisfy { $0.fields == ["password"] })
            let report = try await move.follow(isDry: false)
            #expect(report.changed == 1 && report.findings == [.changedOnBothSides: 1], "\(report)")
            #expect(report.named.map(\.sourceID) == [MoveWorld.id(2)] && report.named.first?.details == ["password"])
            for number in [1, 2] {
                let user = try await rows.rows().user(id: move.mapping.knownID(of: MoveWorld.id(number)))
                #expect(user.passwordHash == hash)
            }
        }
    }

    /// With SQL, a changed password and a no longer verified address are copied, too.
    ///
    /// Identities are not.
    @Test func followThroughRowsCopiesMoreChanges() async throws {
        try await MoveWorld.with(users: 4) { world in
            let rows = try await RowsTarget()
            let folder = try world.run()
            let move = try await UserMove(
                from: world.move(folder).source, to: rows.target(), MoveChoices(), key: folder.key, journal: folder.journal,
                clock: HastyClock())
            _ = try await move.plan()
            _ = try await move.apply(isPartial: true)
            try await FirebaseLookUp.update(MoveWorld.id(0), in: world) { $0.password = "Another-Password-2!" }
            try await FirebaseLookUp.update(MoveWorld.id(1), in: world) { changes in
                (changes.email, changes.isEmailConfirmed) = ("new@example.com", false)
            }
            try world.source.emulator.admin.link(MoveWorld.id(2), provider: "google.com", subject: "g-2", email: nil)
            try await FirebaseLookUp.delete(MoveWorld.id(3), in: world)
            let dry = try await move.follow(isDry: true)
            #expect(dry.changed == 2 && dry.deleted == 1, "\(dry)")
            #expect(dry.references.contains { $0.table.hasSuffix("identities") } == false)
            let report = try await move.follow(isDry: false)
            #expect(report.changed == 2 && report.deleted == 1, "\(report)")
            #expect(report.named.map(\.finding) == [.notUpdatable] && report.named.first?.details == ["identities"])
            let user = try await rows.rows().user(id: move.mapping.knownID(of: MoveWorld.id(0)))
            let hash = try PasswordHash(try #require(user.passwordHash).reveal())
            #expect(try hash.verify("Another-Password-2!"))
            let other = try await rows.rows().user(id: move.mapping.knownID(of: MoveWorld.id(1)))
            #expect(other.email == "new@example.com" && !other.isEmailConfirmed)
            #expect(try await move.follow(isDry: false).total == 0)
        }
    }
}
