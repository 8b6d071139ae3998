import LockstepCurl
import LockstepDirectory
import LockstepEmulation
import LockstepFirebase
import LockstepFirebaseDirectory
import LockstepFirebaseEmulator
import LockstepGoTrueDatabase
import LockstepHTTP
import LockstepMoveTargets
import LockstepPasswords
import LockstepPrimitives
import LockstepSystem
import LockstepTestConcurrency
import LockstepTestSupport
import Testing

@testable import LockstepCLI
@testable import LockstepMigration

/// Rows of GoTrue, a Firebase project, and runs from one to the other.
struct ReverseWorld: Sendable {
    let source: RowsTarget
    let target: EmulatorServer<FirebaseEmulator>
    let folder: RunFolder

    static let password: Secret = "Old-Password-1!"
    private static let workers = Workers()
    private static let signingKey = Prepared(on: workers) { try FirebaseSettings.makeSigningKey() }

    static func with(_ users: [NewDirectoryUser], _ body: (ReverseWorld) async throws -> Void) async throws {
        let rows = try await RowsTarget()
        for outcome in try await rows.rows().create(users) { try #require(outcome.error == nil, "\(outcome)") }
        var settings = FirebaseSettings(mode: .strict)
        settings.signingKey = try await signingKey.value
        settings.hashing.memoryCost = 1
        var options = EmulatorOptions()
        options.workers = workers
        let target = try FirebaseEmulator.start(settings, options)
        defer { target.stop() }
        let parent = try Folder.makeTemporary(prefix: "lockstep-reverse")
        defer {
            for run in RunFolder.list(in: parent) { try? Folder.remove("\(parent)/\(run)") }
            try? Folder.remove(parent)
        }
        let folder = try RunFolder.make(in: parent, clock: SystemClock(), randomness: SystemRandomness())
        try await body(ReverseWorld(source: rows, target: target, folder: folder))
    }

    static func id(_ number: Int) -> String { "8d3b8a52-2a55-4f0e-9d8f-4b4f5f0d\(1000 + number)" }
    static func email(_ number: Int) -> String { "user\(number)@example.com" }

    /// A user with an address, and with a hash of a password if there is one.
    static func user(_ number: Int, _ hash: Secret? = nil, _ change: (inout NewDirectoryUser) -> Void = { _ in })
        -> NewDirectoryUser
    {
        var user = NewDirectoryUser(email: email(number), password: hash.map { .hash($0) })
        (user.id, user.isEmailConfirmed, user.displayName) = (id(number), true, "User \(number)")
        user.createdAt = Instant(seconds: 1_500_000_000)
        change(&user)
        return user
    }

    func directory() throws -> FirebaseDirectory {
        try FirebaseDirectory(
            url: target.base, project: target.emulator.settings.project, transport: CurlTransport(), clock: HastyClock())
    }

    func move(_ choices: MoveChoices = MoveChoices(), journal: (any MoveJournal)? = nil) throws -> UserMove {
        var source = MoveSource(try self.source.rows(), project: "https://ref.supabase.co/auth/v1")
        source.access = .database
        MoveProvider.goTrue.declare(&source)
        return UserMove(
            from: source, to: .firebase(try directory(), project: "demo"), choices, key: folder.key,
            journal: journal ?? folder.journal, clock: HastyClock(), batchSize: 4)
    }

    /// Signs in by plain HTTP: `idToken`, `mfaPendingCredential`, or the code of an error.
    func signIn(_ email: String, _ password: Secret = password) async throws -> String {
        let response = try await CurlTransport().send(
            HTTPRequest(
                .post, target.base + "/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key=any",
                body: .json(
                    ["email": .string(email), "password": .string(password.reveal()), "returnSecureToken": true])))
        let answer = try response.json()
        return answer["error"]?["message"]?.string ?? ["idToken", "mfaPendingCredential"].first { answer[$0] != nil } ?? "none"
    }
}

/// Hashes of ``ReverseWorld/password``, except for the published one.
enum OldHash {
    static let bcrypt: Secret = OddUser.importedHash
    /// The published vector (github.com/firebase/scrypt).
    static let published: Secret = """
        $fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==,sk=jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==$42xEC+ixf3L2lw==$lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==
        """
    /// Above the limit of 120,000 rounds.
    static let pbkdf2 = "$pbkdf2-sha256$i=600000$c29tZXNhbHQ$Ao7UCe4wkHD4NtTx3rinKHZnVqnqCkCvgDqq-6_hpq8"
    /// Above the limit of a memory cost of 14.
    static let costly = "$fbscrypt$v=1,n=20,r=8,p=1,ss=Bw==,sk=jxspr8Ki$42xEC+ixf3L2lw==$lSrfV15cpx95/sZS2W9c9A=="
    static let publishedPassword: Secret = "user1password"

    static func argon2(_ parameters: String) throws -> Secret {
        let template = "$argon2id$v=19$\(parameters)$c29tZXNhbHRzb21lc2FsdA$" + String(repeating: "A", count: 43)
        let hash = try PasswordHash(template).hashingAlike(ReverseWorld.password, randomness: SystemRandomness())
        return Secret(try #require(hash).text)
    }

    static func project() throws -> Secret {
        let project = FirebaseScrypt.make(.least, randomness: SystemRandomness())
        return Secret(
            try PasswordHasher.firebase(project, randomness: SystemRandomness()).hash(ReverseWorld.password).text)
    }
}

@Suite("From GoTrue to Firebase", .limitedConcurrency, .timeLimit(.minutes(5)))
struct GoTrueToFirebaseTests {
    @Test func chosenMemberAndAnonymousUsersMove() async throws {
        try await ReverseWorld.with([
            ReverseWorld.user(1) { $0.userMetadata = ["full_name": "Ada Lovelace", "picture": "https://example.com/a.png"] },
            ReverseWorld.user(2) { ($0.email, $0.isEmailConfirmed, $0.displayName, $0.isAnonymous) = (nil, false, nil, true) },
        ]) { world in
            let folder = try world.move(MoveChoices(anonymousUsers: .create))
            var source = folder.source
            source.profile = ProfileMembers(name: "full_name")
            let move = UserMove(
                from: source, to: folder.target, folder.choices, key: world.folder.key, journal: world.folder.journal,
                clock: HastyClock())
            #expect(try await move.plan().created == 2)
            _ = try await move.apply(isPartial: false)
            #expect(try await move.verify().isSuccess)
            let users = try await world.directory().users(ids: [ReverseWorld.id(1), ReverseWorld.id(2)])
            #expect(users[0]?.displayName == "Ada Lovelace" && users[0]?.photoURL == "https://example.com/a.png")
            #expect(users[1]?.isAnonymous == true)
        }
    }

    /// Hashes of two configurations and of every other kind: the old password signs in, or the plan has said that it will not.
    @Test(.covers("M03", "M06", "M13", "M29", "M50")) func oldPasswordsSignInOrAreNamed() async throws {
        let users = try [
            OldHash.bcrypt, OldHash.published, OldHash.project(), OldHash.argon2("m=19456,t=2,p=1"),
            OldHash.argon2("m=65536,t=1,p=1"), nil, nil, nil,
        ]
        .enumerated().map { ReverseWorld.user($0, $1) }
        try await ReverseWorld.with(users) { world in
            for (number, hash) in [(5, OldHash.pbkdf2), (6, OldHash.costly)] {
                try await world.source.sql(
                    "UPDATE auth.users SET encrypted_password = '\(hash)' WHERE id = '\(ReverseWorld.id(number))'")
            }
            let move = try world.move()
            let plan = try await move.plan()
            #expect(plan.created == users.count && plan.ways == [.password: 4, .newPassword: 3, .mailLink: 1], "\(plan)")
            #expect(plan.fields.filter { $0.field == .password && $0.treatment == .lazy }.map(\.count).reduce(0, +) == 3)
            #expect(plan.hashes.count == 4, "\(plan.hashes)")
            #expect(try await move.apply(isPartial: false).states == [.complete: users.count])
            #expect(try await move.verify().isSuccess)
            for number in users.indices {
                let password = number == 1 ? OldHash.publishedPassword : ReverseWorld.password
                let answer = try await world.signIn(ReverseWorld.email(number), password)
                #expect(answer == (number < 4 ? "idToken" : "INVALID_LOGIN_CREDENTIALS"), "\(number)")
                #expect(try await world.signIn(ReverseWorld.email(number), "Wrong-1!") == "INVALID_LOGIN_CREDENTIALS")
            }
            let ids = try world.target.emulator.admin.exportUsers()["users"]?.array?.compactMap { $0["localId"]?.string }
            #expect(ids?.sorted() == users.compactMap(\.id))
        }
    }

    @Test(.covers("M16", "M19", "M20", "M25", "M26")) func statesAreNeverMoreThanBefore() async throws {
        let users = [
            ReverseWorld.user(0, OldHash.bcrypt) { $0.isEmailConfirmed = false },
            ReverseWorld.user(1, OldHash.bcrypt) { ($0.isDisabled, $0.bannedUntil) = (true, Instant(seconds: 2_400_000_000)) },
            ReverseWorld.user(2) {
                $0.phone = "+4915112345601"
                $0.providerIdentities = [
                    DirectoryIdentity(.google, subject: "g-2", email: ReverseWorld.email(2), data: ["email": "x@example.com"])
                ]
            },
            ReverseWorld.user(3, OldHash.bcrypt) { $0.factors = [DirectoryFactor(.phone("+4915112345603"))] },
            ReverseWorld.user(4, OldHash.bcrypt) {
                $0.factors = [DirectoryFactor(.authenticatorApp(secret: "JBSWY3DPEHPK3PXP"))]
            },
            ReverseWorld.user(5, OldHash.bcrypt) {
                ($0.isEmailConfirmed, $0.factors) = (false, [DirectoryFactor(.phone("+4915112345605"))])
            },
        ]
        try await ReverseWorld.with(users) { world in
            let move = try world.move()
            let plan = try await move.plan()
            #expect(plan.refused == [.appFactorNotAccepted: 1, .phoneFactor: 1], "\(plan.refused)")
            _ = try await move.apply(isPartial: true)
            #expect(try await move.verify().isSuccess)
            let read = try await world.directory().users(ids: users.compactMap(\.id))
            #expect(read.map { $0 == nil } == [false, false, false, false, true, true])
            #expect(read.map { $0?.isEmailConfirmed ?? false } == [false, true, true, true, false, false])
            #expect(read[1]?.isDisabled == true && read[2]?.phone == nil && read[2]?.hasPassword == false)
            #expect(read[2]?.providerIdentities.map(\.subject) == ["g-2"])
            #expect(try await world.signIn(ReverseWorld.email(1)) == "USER_DISABLED")
            #expect(try await world.signIn(ReverseWorld.email(3)) == "mfaPendingCredential")
        }
    }

    @Test(.covers("M11", "M12", "M53"), arguments: [FaultEffect.loseResponse, .status(503)])
    func lostAnswersAndKillsDuplicateNobody(_ effect: FaultEffect) async throws {
        let users = (0..<10).map { ReverseWorld.user($0, OldHash.bcrypt) }
        try await ReverseWorld.with(users) { world in
            _ = try await world.move().plan()
            try world.target.panel.fail(next: 2, RequestMatch("POST", "*/accounts:batchCreate"), with: effect)
            let mortal = MortalJournal(world.folder.journal, killedAt: 4, .before)
            await #expect(throws: MigrationError.self) { try await world.move(journal: mortal).apply(isPartial: false) }
            #expect(try await world.move().apply(isPartial: false).states == [.complete: users.count])
            #expect(try world.target.emulator.admin.userCount() == users.count)
            #expect(try await world.move().verify().isSuccess)
        }
    }

    /// Claims above the limit are left out only by choice, and a provider has one identity of a user.
    @Test(.covers("M08")) func largeClaimsAreRefusedAndUserDataIsCounted() async throws {
        let users = [
            ReverseWorld.user(0) { $0.appMetadata = ["notes": .string(String(repeating: "claim ", count: 200))] },
            ReverseWorld.user(1) { $0.userMetadata = ["theme": "dark", "full_name": "User 1"] },
            ReverseWorld.user(2) { $0.appMetadata = ["sub": "x", "plan": "gold"] },
        ]
        try await ReverseWorld.with(users) { world in
            let plan = try await world.move().plan()
            #expect(plan.refused == [.dataTooLarge: 1])
            #expect(plan.fields.contains { $0.field == .userData && $0.reason == .noPlace && $0.count == 1 }, "\(plan.fields)")
            #expect(
                plan.fields.contains { $0.field == .claims && $0.reason == .reservedNames && $0.count == 1 }, "\(plan.fields)")
        }
    }

    @Test(.covers("M33")) func laterChangesAreFollowedOrNamed() async throws {
        try await ReverseWorld.with((0..<4).map { ReverseWorld.user($0, OldHash.bcrypt) }) { world in
            let move = try world.move()
            _ = try await move.plan()
            _ = try await move.apply(isPartial: false)
            let rows = try world.source.rows()
            var changes = DirectoryChanges()
            (changes.displayName, changes.appMetadata) = ("Renamed", ["role": "editor"])
            _ = try await rows.update(ReverseWorld.id(0), changes)
            try await rows.delete(ReverseWorld.id(1))
            try await rows.setPasswordHash(try OldHash.argon2("m=19456,t=2,p=1"), of: ReverseWorld.id(2))
            _ = try await rows.create(ReverseWorld.user(9, OldHash.bcrypt))
            let report = try await move.follow(isDry: false)
            #expect([report.created, report.changed, report.deleted] == [1, 1, 1], "\(report)")
            #expect(report.named.map(\.details) == [["password"]], "\(report.named)")
            #expect(try await world.directory().user(id: ReverseWorld.id(0)).displayName == "Renamed")
            #expect(try await world.signIn(ReverseWorld.email(9)) == "idToken")
            #expect(try await move.undo(isDry: false).kept.map(\.targetID) == [ReverseWorld.id(9)])
        }
    }

    /// The canaries sign in with each kind of hash, and are removed.
    @Test(.covers("M30")) func canariesSignIn() async throws {
        let users = try [
            ReverseWorld.user(0, OldHash.bcrypt), ReverseWorld.user(1, OldHash.project()),
            ReverseWorld.user(2, OldHash.argon2("m=19456,t=2,p=1")),
        ]
        try await ReverseWorld.with(users) { world in
            let move = try world.move()
            _ = try await move.plan()
            _ = try await move.apply(isPartial: false)
            let adapter = FirebaseAdapter(
                try FirebaseConfiguration(url: world.target.base, key: "any"), transport: CurlTransport())
            let report = try await move.verify(signingInThrough: adapter)
            #expect(report.isSuccess && report.hashes.allSatisfy { $0.isProven == true }, "\(report)")
            #expect(report.canaries?.checks.count == 4)
            #expect(try world.target.emulator.admin.userCount() == 3)
        }
    }
}
