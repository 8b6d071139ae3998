import LockstepClerkDirectory
import LockstepClerkEmulator
import LockstepCurl
import LockstepDirectory
import LockstepEmulation
import LockstepFirebaseDirectory
import LockstepGoTrueEmulator
import LockstepMoveTargets
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

@testable import LockstepCLI
@testable import LockstepMigration

/// On each target, one altered value in every field of the list is found, and such a user is kept by an undo.
@Suite("Altered values", .limitedConcurrency, .timeLimit(.minutes(5))) struct AlteredValueTests {
    enum End: String, Sendable, CaseIterable { case firebase, goTrue, rows, clerk }

    /// A value that somebody changes on the target.
    struct Alteration: Sendable {
        /// The name in a report.
        let name: String
        /// What the user of the source has.
        var before: @Sendable (inout DirectoryUser) -> Void = { _ in }
        /// Changes the user who is written in place of the moved one.
        var change: @Sendable (inout NewDirectoryUser) -> Void = { _ in }
        /// Changes the row of the moved user in `auth.users`, or the rows of the identities.
        var sql: String?
        /// Changes the moved user in the emulator.
        var seed: (@Sendable (inout SeedUser) -> Void)?
    }

    private static let alterations: [Alteration] = [
        Alteration(name: "address", change: { $0.email = "altered@example.com" }),
        // Firebase has second factors only behind a verified address.
        Alteration(name: "address verified", change: { ($0.isEmailConfirmed, $0.factors) = (false, []) }),
        // A verified address always signs in where addresses are reserved.
        Alteration(
            name: "address signs in", before: { ($0.isEmailConfirmed, $0.factors) = (false, []) },
            change: { $0.hasEmailIdentity = false }),
        Alteration(name: "number", change: { $0.phone = "+15551250000" }),
        Alteration(name: "number verified", change: { $0.isPhoneConfirmed = false }),
        Alteration(name: "number signs in", change: { $0.hasPhoneIdentity = false }),
        Alteration(name: "more addresses", change: { $0.otherEmails = [] }),
        Alteration(name: "more numbers", change: { $0.otherPhones = [] }),
        Alteration(name: "name", change: { $0.displayName = "Ada Lovelace " }),
        Alteration(name: "first name", change: { ($0.displayName, $0.firstName) = (nil, "Augusta") }),
        Alteration(name: "last name", change: { ($0.displayName, $0.lastName) = (nil, "King") }),
        Alteration(name: "user name", change: { $0.username = "other_name" }),
        Alteration(name: "photo", change: { $0.photoURL = "https://example.com/b.png" }),
        Alteration(name: "user data", change: { $0.userMetadata = ["theme": "light"] }),
        Alteration(name: "claims", change: { $0.appMetadata = ["role": "owner"] }),
        Alteration(name: "private data", change: { $0.privateMetadata = ["note": "new"] }),
        Alteration(name: "external id", change: { $0.externalID = "z" }),
        Alteration(name: "created", change: { $0.createdAt = Instant(seconds: 1_500_000_001) }),
        Alteration(name: "disabled", change: { $0.isDisabled = true }),
        Alteration(
            name: "end of a ban", before: { ($0.isDisabled, $0.bannedUntil) = (true, Instant(seconds: 2_400_000_000)) },
            change: { $0.bannedUntil = Instant(seconds: 2_400_000_001) }),
        Alteration(name: "locked", change: { $0.isLocked = true }),
        Alteration(
            name: "anonymous",
            change: {
                let id = $0.id
                $0 = NewDirectoryUser()
                ($0.id, $0.isAnonymous) = (id, true)
            }, seed: { $0.isAnonymous = true }),
        Alteration(
            name: "single sign-on", sql: "is_sso_user = true",
            // The API shows it only by the name of the identity's provider.
            seed: {
                $0.isSingleSignOn = true
                $0.identities.append(SeedIdentity(provider: "sso:4a8e0f9c-6f0e-4a52-8d8e-0b7f6b1f3b11", subject: "s"))
            }),
        Alteration(name: "role", change: { $0.role = "service_role" }),
        Alteration(name: "audience", change: { $0.audience = "elsewhere" }),
        Alteration(
            name: "identities", change: { $0.providerIdentities[0].subject = "altered" },
            seed: { $0.identities = [SeedIdentity(provider: "google", subject: "altered", email: $0.email)] }),
        Alteration(name: "second factors", change: { $0.factors = [] }),
        Alteration(name: "has password", change: { $0.password = nil }),
        Alteration(name: "password", change: { $0.password = .hash(otherHash) }),
        Alteration(name: "irregular values", sql: "instance_id = gen_random_uuid()"),
        Alteration(name: "irregular values", sql: "is_super_admin = true"),
        Alteration(name: "irregular values", sql: "recovery_token = NULL"),
        Alteration(name: "irregular values", sql: "identity_data = identity_data || '{\"sub\": \"altered\"}'"),
    ]

    private static let otherHash = Secret(OddUser.importedHash.reveal().replacing("Bqb3", with: "Cqb3"))

    /// Values that somebody can read on a target, and nobody can alter there.
    private static let unalterable: [End: [String]] = [
        // Every number signs in, so each is a verified one.
        .firebase: ["number verified"],
        // As there; and an account of single sign-on comes only with a sign-in.
        .clerk: ["number verified", "number signs in", "single sign-on"],
    ]

    /// A user with each value, of whom a target keeps what it can.
    private static func user(_ number: Int) -> DirectoryUser {
        var user = DirectoryUser(id: "user-\(number)")
        (user.email, user.isEmailConfirmed) = ("user\(number)@example.com", true)
        (user.phone, user.isPhoneConfirmed) = ("+1555123\(1000 + number)", true)
        user.otherEmails = [DirectoryAddress("user\(number)@example.org", isConfirmed: false)]
        user.otherPhones = [DirectoryAddress("+1555124\(1000 + number)", isConfirmed: true)]
        (user.username, user.displayName) = ("name_\(number)", "Ada Lovelace")
        (user.firstName, user.lastName, user.photoURL) = ("Ada", "Lovelace", "https://example.com/a.png")
        (user.userMetadata, user.appMetadata, user.privateMetadata) = (["theme": "dark"], ["role": "admin"], ["note": "old"])
        (user.createdAt, user.passwordHash) = (Instant(seconds: 1_500_000_000), OddUser.importedHash)
        user.providerIdentities = [DirectoryIdentity(.google, subject: "g-\(number)", email: user.email)]
        user.factors = [
            DirectoryFactor(.authenticatorApp(secret: "JBSWY3DPEHPK3PXP")), DirectoryFactor(.phone("+1555126\(1000 + number)")),
        ]
        return user
    }

    /// A run to a target, and the ways to change what it has written.
    private struct Place {
        let target: MoveTarget
        let folder: RunFolder
        /// Changes a moved user in the emulator.
        var seed: ((_ id: String, (inout SeedUser) -> Void) throws -> Void)?
        var rows: RowsTarget?

        func alter(_ alteration: Alteration, _ row: JournalUser, _ written: NewDirectoryUser) async throws {
            let id = try #require(row.targetID)
            if let rows, let sql = alteration.sql {
                let isIdentity = sql.hasPrefix("identity_data")
                try await rows.sql(
                    "UPDATE auth.\(isIdentity ? "identities" : "users") SET \(sql) WHERE \(isIdentity ? "user_id" : "id") = '\(id)'"
                )
            } else if let change = alteration.seed, let seed {
                try seed(id, change)
            } else {
                var altered = written
                alteration.change(&altered)
                try await target.directory.delete(id)
                let outcome = try #require(await target.directory.create([altered]).first)
                guard case .done(let made) = outcome else { throw outcome.error ?? .cancelled }
                if made != id { try await folder.journal.give(made, to: row.number) }
            }
        }
    }

    @Test(.covers("M29", "M35"), arguments: End.allCases) func alteredValueInEachFieldIsFound(_ end: End) async throws {
        switch end {
        case .firebase:
            try await ReverseWorld.with([]) { world in
                try await Self.check(end, Place(target: try .firebase(world.directory(), project: "demo"), folder: world.folder))
            }
        case .goTrue:
            try await MoveWorld.with { world in
                let admin = world.target.emulator.admin
                let place = Place(target: MoveWorld.target(try world.goTrue()), folder: try world.run()) { id, change in
                    try Self.change(admin, id, change)
                }
                try await Self.check(end, place)
            }
        case .rows:
            try await MoveWorld.with { world in
                let rows = try await RowsTarget()
                try await Self.check(end, Place(target: try rows.target(), folder: try world.run(), rows: rows))
            }
        case .clerk:
            try await ClerkWorld.with { world in
                let (admin, clerk) = (world.target.emulator.admin, try world.clerk())
                let target = MoveTarget.clerk(clerk, api: clerk, project: "ins_lockstep")
                let place = Place(target: target, folder: try world.run()) { id, change in try Self.change(admin, id, change) }
                try await Self.check(end, place)
            }
        }
    }

    /// Changes a user of an emulator in a way for which the backend has no route.
    private static func change(
        _ admin: some SeedAdministrator, _ id: String, _ change: (inout SeedUser) -> Void
    ) throws {
        var seed = try admin.currentSeed()
        let index = try #require(seed.users.firstIndex { $0.id == id })
        change(&seed.users[index])
        try admin.replaceState(by: seed)
    }

    private static func check(_ end: End, _ place: Place) async throws {
        let (compared, others) = UserRecord.names(at: place.target)
        let exceptions = unalterable[end] ?? []
        #expect(exceptions.allSatisfy(compared.contains))
        let needed = compared.filter { !exceptions.contains($0) }
        let known = alterations.map(\.name)
        #expect(needed.allSatisfy(known.contains), "without an altered case: \(needed.filter { !known.contains($0) })")
        let cases = alterations.filter { needed.contains($0.name) }
        var users = (0...cases.count).map(user)
        for (index, alteration) in cases.enumerated() { alteration.before(&users[index]) }
        let move = UserMove(
            from: MoveSource(ListedUsers(users), project: "demo"), to: place.target, MoveChoices(factors: .drop),
            key: place.folder.key, journal: place.folder.journal, clock: HastyClock())
        #expect(try await move.plan().created == users.count)
        #expect(try await move.apply(isPartial: false).states == [.complete: users.count])
        let clean = try await move.verify()
        #expect(clean.verified == users.count && clean.isSuccess && clean.notCompared == others, "\(clean)")
        for (alteration, user) in zip(cases, users) {
            let row = try #require(try await place.folder.journal.users(sourceIDs: [user.id]).first)
            try await place.alter(alteration, row, move.mapping.map(user).new)
        }
        let report = try await move.verify()
        let found = Dictionary(uniqueKeysWithValues: report.differing.map { ($0.sourceID, $0.fields) })
        for (alteration, user) in zip(cases, users) {
            #expect(found[user.id]?.contains(alteration.name) == true, "\(alteration.name): \(found[user.id] ?? [])")
        }
        #expect(report.verified == 1 && report.missingCount == 0, "\(report)")
        let undone = try await move.undo(isDry: false)
        #expect(undone.deleted == 1 && undone.kept.map(\.reason) == cases.map { _ in .changed }, "\(undone)")
    }

    /// No value of the list of fields is left to chance: each is compared at some target.
    @Test func everyFieldIsComparedSomewhere() async throws {
        let clerk = try ClerkDirectory(secretKey: "sk_test_x", transport: CurlTransport())
        let targets = [
            try MoveWorld.unreachableTarget(), try await RowsTarget().target(),
            MoveTarget.clerk(clerk, api: clerk, project: "ins"),
        ]
        let compared = Set(targets.flatMap { UserRecord.names(at: $0).compared })
        #expect(ComparedField.all.map(\.name).filter { !compared.contains($0) } == [])
        let left = UserFields.fields.filter { !$0.use.contains(.compared) }.map(\.name)
        #expect(left == ["emailConfirmedAt", "phoneConfirmedAt", "lastSignInAt", "tenant", "updatedAt"])
    }
}
