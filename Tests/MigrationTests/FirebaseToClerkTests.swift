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

@Suite("From Firebase to Clerk", .limitedConcurrency, .timeLimit(.minutes(5)))
struct FirebaseToClerkTests {
    /// Fills a project with a user for each kind of hash: its own, three imported ones, and none.
    ///
    /// Firebase has no user with a hash above its limits.
    static func importHashes(_ firebase: FirebaseDirectory) async throws {
        let hashes: [Secret?] = [OldHash.bcrypt, OldHash.published, try OldHash.argon2("m=19456,t=2,p=1"), nil]
        let users = hashes.enumerated().map { number, hash in
            var user = NewDirectoryUser(email: MoveWorld.email(number + 1), password: hash.map { .hash($0) })
            (user.id, user.isEmailConfirmed) = (MoveWorld.id(number + 1), true)
            return user
        }
        for outcome in await firebase.create(users) { try #require(outcome.error == nil, "\(outcome)") }
        for hash in [try OldHash.argon2("m=65536,t=1,p=1"), Secret(OldHash.pbkdf2)] {
            let outcomes = await firebase.create([NewDirectoryUser(email: "x@example.com", password: .hash(hash))])
            #expect(outcomes[0].error?.code == .invalidInput)
        }
    }

    /// The password of each user of ``importHashes(_:)``, the user with the project's own hash first.
    static let passwords = [
        MoveWorld.password, MoveWorld.password, OldHash.publishedPassword, MoveWorld.password, MoveWorld.password,
    ]

    /// Each kind of hash: the old password signs in, or the plan has named the user.
    @Test(.covers("M03", "M50")) func oldPasswordsSignInOrAreNamed() async throws {
        try await ClerkWorld.with(users: 1) { world in
            try await Self.importHashes(try await world.firebase())
            let move = try await world.move(try world.run())
            let plan = try await move.plan()
            #expect(plan.ways == [.password: 1, .newPassword: 3, .mailLink: 1], "\(plan)")
            #expect(plan.fields.filter { $0.reason == .hashImported }.map(\.count) == [3])
            #expect(try await move.apply(isPartial: false).states == [.complete: 5])
            for (number, password) in Self.passwords.enumerated() {
                #expect((try await world.signIn(MoveWorld.email(number), password) == "complete") == (number == 0), "\(number)")
                #expect(try await world.signIn(MoveWorld.email(number), "Wrong-1!") != "complete")
            }
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
            #expect(plan.refused.isEmpty, "\(plan.refused)")
            _ = try await move.apply(isPartial: true)
            #expect(try await move.verify().isSuccess)
            let read = try await world.clerk().users(externalIDs: (0..<4).map(MoveWorld.id))
            #expect(read.map { $0?.isEmailConfirmed } == [false, true, true, true])
            #expect(read[0]?.fields["email_addresses"]?[0]?["reserved"] == true)
            #expect(read[1]?.isDisabled == true && read[2]?.hasPassword == false)
            #expect(read[3]?.phone == nil && read[3]?.factors.map(\.kind) == [.phone("+4915112345603")])
            #expect(try await world.signIn(MoveWorld.email(1)) == "user_banned")
            #expect(try await world.signIn(MoveWorld.email(3)) == "needs_second_factor")
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
