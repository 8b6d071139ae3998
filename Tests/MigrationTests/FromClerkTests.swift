import LockstepClerkEmulator
import LockstepDirectory
import LockstepEmulation
import LockstepFirebaseEmulator
import LockstepPasswords
import LockstepPrimitives
import LockstepSystem
import LockstepTestConcurrency
import Testing

@testable import LockstepCLI
@testable import LockstepMigration

/// Hashes of ``FromClerkWorld/password``, except for the published one.
private enum Hash {
    static let bcrypt: Secret = OddUser.importedHash
    /// The published vector (github.com/firebase/scrypt).
    static let published: Secret = """
        $fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==,sk=jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==$42xEC+ixf3L2lw==$lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==
        """
    static let publishedPassword: Secret = "user1password"
    /// PBKDF2 of RFC 7914, section 11, with the password "passwd".
    static let pbkdf2: Secret = "$pbkdf2-sha256$i=1$c2FsdA$VawEbblbjCJ_9iD8kSm8dhzZBVb1IiFOKnAJA1uMJsY"
    static let slowPBKDF2 = Secret("$pbkdf2-sha256$i=600000$c29tZXNhbHQ$" + String(repeating: "A", count: 43))

    static func argon2(_ parameters: String) -> Secret { OddUser.hash(like: "$argon2id$v=19$\(parameters)") }
}

@Suite("From Clerk", .limitedConcurrency, .timeLimit(.minutes(5)))
struct FromClerkTests {
    /// Every kind of hash: the old password signs in, or the plan has named the user.
    @Test(.covers("M03", "M29", "M50"), arguments: FromClerkWorld.End.allCases)
    func oldPasswordsSignInOrAreNamed(_ end: FromClerkWorld.End) async throws {
        let hashes = [
            Hash.bcrypt, Hash.published, OddUser.firebaseHash, Hash.argon2("m=19456,t=2,p=1"), Hash.argon2("m=65536,t=1,p=1"),
            Hash.slowPBKDF2, nil,
        ]
        // Firebase checks at most 32 MiB of Argon2.
        let kept = end == .goTrue ? [0, 1, 2, 3, 4] : [0, 1, 2, 3]
        try await FromClerkWorld.with(hashes.enumerated().map { FromClerkWorld.user($0, $1) }, to: end) { world in
            let move = try await world.move()
            let plan = try await move.plan()
            #expect(
                plan.created == 7 && plan.ways == [.password: kept.count, .newPassword: 6 - kept.count, .mailLink: 1], "\(plan)")
            let named = try world.lines("new-passwords.jsonl")
            #expect(named.count == 6 - kept.count && named.allSatisfy { $0["reason"] == "hashNotAccepted" }, "\(named)")
            for number in kept { #expect(!named.contains { $0["source"]?.string == FromClerkWorld.id(number) }) }
            #expect(try await move.apply(isPartial: false).states == [.complete: 7])
            #expect(try await move.verify().isSuccess)
            for number in hashes.indices {
                let password = number == 1 ? Hash.publishedPassword : FromClerkWorld.password
                #expect(try await world.opens(FromClerkWorld.email(number), password) == kept.contains(number), "\(number)")
                #expect(try await !world.opens(FromClerkWorld.email(number), "Wrong-1!"))
            }
            #expect(try await world.targetCount() == 7)
        }
    }

    /// Without an export, no password moves, and the plan begins with that.
    @Test(.covers("M50")) func withoutAnExportEveryPasswordIsNew() async throws {
        try await FromClerkWorld.with([FromClerkWorld.user(0, Hash.bcrypt), FromClerkWorld.user(1)]) { world in
            let plan = try await world.move(from: FromClerkWorld.withoutExport).plan()
            #expect(plan.ways == [.newPassword: 1, .mailLink: 1])
            let warning = plan.text.split(separator: "\n").drop { $0 != "before you apply" }.dropFirst().first ?? ""
            #expect(warning.contains("no password moves"), "\(plan.text)")
            let error = await #expect(throws: MigrationError.self) { try await world.move().apply(isPartial: false) }
            #expect(error?.code == .anotherEnd)
        }
    }

    /// Passwords that were changed, added or removed after the export, and users whom only one side has.
    @Test(.covers("M10", "M33")) func whatIsNewerThanTheExportIsNamed() async throws {
        try await FromClerkWorld.with((0..<5).map { FromClerkWorld.user($0, Hash.bcrypt) }) { world in
            let admin = world.source.emulator.admin
            var values = UserValues()
            values.password = "New-Password-2!"
            try await admin.update(FromClerkWorld.id(0), values)
            try admin.deleteUser(FromClerkWorld.id(1))
            try admin.add([FromClerkWorld.user(8, Hash.bcrypt), FromClerkWorld.user(9)])
            let move = try await world.move()
            let plan = try await move.plan()
            #expect(plan.unlisted.count == 1 && plan.unlisted.ids == [FromClerkWorld.id(1)])
            #expect(plan.text.contains(FromClerkWorld.id(1)) && PlanSummary(journal: JSON.object(plan.json).text()) == plan)
            let named = try world.lines("new-passwords.jsonl").map { [$0["source"]?.string, $0["reason"]?.string] }
            #expect(
                Set(named) == [[FromClerkWorld.id(0), "hashOutdated"], [FromClerkWorld.id(8), "hashNotExported"]], "\(named)")
            _ = try await move.apply(isPartial: false)
            for number in [0, 8] { #expect(try await !world.opens(FromClerkWorld.email(number))) }
            #expect(try await world.opens(FromClerkWorld.email(2)))
            // A newer export brings what was missing.
            try world.exportUsers()
            let newer = try await world.move(from: ["exportedAt": .string(SystemClock().now.rfc3339)])
            let report = try await newer.follow(isDry: false)
            #expect(report.changed == 2 && report.named.isEmpty, "\(report)")
            #expect(try await world.opens(FromClerkWorld.email(0), "New-Password-2!"))
            #expect(try await world.opens(FromClerkWorld.email(8)))
        }
    }

    @Test func timeOfTheExportIsRequired() async throws {
        try await FromClerkWorld.with([FromClerkWorld.user(0, Hash.bcrypt)]) { world in
            let changes: [JSONObject] = [
                ["exportedAt": .null], ["exportedAt": "yesterday"], ["exportedAt": "2126-01-31T12:00:00Z"], ["export": .null],
                ["export": "/nowhere/users.csv"],
            ]
            for change in changes {
                await #expect(throws: UsageError.self, "\(change)") { try await world.opened(change) }
            }
            let source = try await world.opened()
            #expect(source.mark == "clerk ins_lockstep (export)")
        }
    }

    @Test(.covers("M28")) func exportOfAnotherInstanceEndsThePlan() async throws {
        try await FromClerkWorld.with([FromClerkWorld.user(0, Hash.bcrypt)]) { world in
            let other = "id,password_digest,password_hasher\nuser_other,,\n"
            try AtomicFile.replace(world.export, with: Array(other.utf8))
            let error = await #expect(throws: MigrationError.self) { try await world.move().plan() }
            #expect(error?.code == .stopped && error?.message.contains("this instance") == true, "\(error?.message ?? "")")
        }
    }

    /// Private metadata is in no value that its user or a token has; the side file has it by choice.
    @Test(.covers("M09"), arguments: FromClerkWorld.End.allCases)
    func privateMetadataStaysPrivate(_ end: FromClerkWorld.End) async throws {
        let user = FromClerkWorld.user(0, Hash.bcrypt) {
            ($0.privateMetadata, $0.username, $0.externalID) = (["note": "Canary-Private"], "ada", "app-7")
            $0.otherEmails = [DirectoryAddress("second@example.com", isConfirmed: true)]
            ($0.appMetadata, $0.userMetadata) = (["role": "admin"], ["theme": "dark"])
        }
        try await FromClerkWorld.with([user], to: end) { world in
            let plan = try await world.move().plan()
            for field in [MoveField.privateData, .username, .externalID, .furtherAddresses] {
                #expect(plan.fields.contains { $0.field == field && $0.treatment == .lost && $0.count == 1 }, "\(field)")
            }
            #expect(plan.fields.contains { $0.field == .personNames && $0.treatment == .transformed })
            #expect(try !Folder.isThere(world.run.largeData))
            var choices = MoveChoices()
            choices.largeData = .sideFile(world.run.largeData)
            let move = try await world.move(choices)
            _ = try await move.plan()
            _ = try await move.apply(isPartial: false)
            #expect(try FileStatus(of: world.run.largeData)?.mode == 0o600)
            let line = try #require(try world.lines("large-data.jsonl").first)
            #expect(line["privateMetadata"] == ["note": "Canary-Private"] && line["username"] == "ada", "\(line)")
            #expect(line["externalID"] == "app-7" && line["otherEmails"]?[0]?["value"] == "second@example.com", "\(line)")
            #expect(world.run.losses == ["large-data.jsonl", "roles.jsonl"])

            let answer = try await world.signIn(FromClerkWorld.email(0))
            let token = try #require(answer["access_token"]?.string ?? answer["idToken"]?.string)
            let parts = token.split(separator: ".").map { String(decoding: Base64.decode($0, .url) ?? [], as: UTF8.self) }
            #expect(parts.count == 3 && parts[1].contains("admin"), "\(parts)")
            let rows = try await world.rows.sql("SELECT coalesce(string_agg(u::text, ' '), '') FROM auth.users u")
            let users = try world.firebase.emulator.admin.exportUsers().text()
            for text in parts + [answer.text(), rows, users] { #expect(!text.contains("Canary-Private")) }

            let name = world.run.id
            let parent = String(world.run.path.dropLast(name.count + 1))
            world.run.close()
            try RunFolder.purge(name, in: parent)
            #expect(RunFolder.list(in: parent).isEmpty)
        }
    }

    /// Organizations with their members are counted with their users, and written to files of the run.
    @Test(.covers("M54", "M55")) func organizationsAreCountedAndWritten() async throws {
        var acme = SeedOrganization(id: "org_acme", name: "Acme")
        acme.privateMetadata = ["plan": "gold"]
        acme.members = [
            .init(user: FromClerkWorld.id(0), role: "org:admin"), .init(user: FromClerkWorld.id(1), role: "org:member"),
        ]
        var shop = SeedOrganization(id: "org_shop", name: "Shop")
        shop.members = [.init(user: FromClerkWorld.id(0), role: "org:member")]
        try await FromClerkWorld.with((0..<3).map { FromClerkWorld.user($0) }, [acme, shop]) { world in
            let plan = try await world.move().plan()
            #expect(
                plan.lists.map { [$0.entries, $0.users] } == [[2, 0], [3, 2], [2, 0], [0, 0]] && plan.read == 3, "\(plan.lists)")
            #expect(plan.text.contains("memberships 3 (2 users)"), "\(plan.text)")
            #expect(PlanSummary(journal: JSON.object(plan.json).text()) == plan)
            let organizations = try world.lines("organizations.jsonl")
            #expect(Set(organizations.compactMap { $0["name"]?.string }) == ["Acme", "Shop"])
            #expect(organizations.contains { $0["privateMetadata"] == ["plan": "gold"] }, "\(organizations)")
            let members = try world.lines("memberships.jsonl")
            #expect(members.count { $0["user"]?.string == FromClerkWorld.id(0) } == 2 && members.allSatisfy { $0["role"] != nil })
            #expect(!members.map { $0.text() }.joined().contains("example.com"), "no address")
            #expect(try world.lines("roles.jsonl").contains { $0["role"] == "org:admin" && $0["permissions"]?[0] != nil })
            #expect(try FileStatus(of: "\(world.run.path)/memberships.jsonl")?.mode == 0o600)
            #expect(world.run.losses == ["organizations.jsonl", "memberships.jsonl", "roles.jsonl"])

            // A list that ends early is an error, and one that the key may not read is named.
            let panel = world.source.panel
            try panel.fail(
                next: 1, "GET", "/v1/organization_memberships", with: .answer(.json(["data": [], "total_count": 3])))
            let error = await #expect(throws: MigrationError.self) { try await world.move().plan() }
            #expect(error?.code == .count)
            try panel.fail(
                next: 1, "GET", "/v1/organizations",
                with: .status(403, body: ["errors": [["code": "authorization_invalid", "message": "no"]]]))
            let unknown = try await world.move().plan()
            #expect(unknown.lists.first?.entries == nil && unknown.text.contains("does not show its organizations"))
        }
    }

    /// No user gains a right: unverified, banned, locked, without an own way to sign in.
    @Test(.covers("M16", "M20", "M25"), arguments: FromClerkWorld.End.allCases)
    func statesAreNeverMoreThanBefore(_ end: FromClerkWorld.End) async throws {
        let users = [
            FromClerkWorld.user(0, Hash.bcrypt) { $0.isEmailConfirmed = false },
            FromClerkWorld.user(1, Hash.bcrypt) { $0.isDisabled = true },
            FromClerkWorld.user(2) {
                $0.identities = [SeedIdentity(provider: "google", subject: "g-2", email: FromClerkWorld.email(2))]
            },
            FromClerkWorld.user(3, Hash.bcrypt) { ($0.phone, $0.isPhoneConfirmed) = ("+4915112345601", false) },
            FromClerkWorld.user(4, Hash.bcrypt) { $0.isLocked = true },
            FromClerkWorld.user(5, Hash.bcrypt) { ($0.email, $0.isEmailConfirmed, $0.username) = (nil, false, "grace") },
        ]
        try await FromClerkWorld.with(users, to: end) { world in
            let move = try await world.move()
            let plan = try await move.plan()
            #expect(plan.created == 5 && plan.refused == [.noAddressOrNumber: 1], "\(plan)")
            #expect(plan.fields.contains { $0.field == .lock && $0.treatment == .lost })
            _ = try await move.apply(isPartial: true)
            #expect(try await move.verify().isSuccess)
            let ids = (0..<6).compactMap { move.mapping.targetID(of: FromClerkWorld.id($0)) }
            let read = try await world.target().directory.users(ids: ids)
            #expect(read.map { $0?.isEmailConfirmed ?? false } == [false, true, true, true, true, false])
            #expect(read.map { $0?.isDisabled ?? false } == [false, true, false, false, false, false])
            #expect(read[2]?.providerIdentities.map(\.subject) == ["g-2"] && read[2]?.passwordHash == nil)
            #expect(read[3]?.phone == nil && read[5] == nil)
            #expect(try await !world.opens(FromClerkWorld.email(1)))
        }
    }

    /// The secret of an authenticator app is in the export, and a code that is computed from it completes the sign-in.
    @Test(.covers("M26", "M56")) func authenticatorAppSignsIn() async throws {
        let secret: Secret = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"
        func user(_ number: Int) -> SeedUser {
            FromClerkWorld.user(number, Hash.bcrypt) { $0.factors = [DirectoryFactor(.authenticatorApp(secret: secret))] }
        }
        try await FromClerkWorld.with([user(0), FromClerkWorld.user(1, Hash.bcrypt)]) { world in
            let bare = try await world.move(from: FromClerkWorld.withoutExport).plan()
            #expect(bare.refused == [.appFactor: 1])
            // An app that was added after the export has another secret there, or none.
            _ = try world.source.emulator.admin.addFactor(
                DirectoryFactor(.authenticatorApp(secret: nil)), to: FromClerkWorld.id(1))
            let move = try await world.move()
            let plan = try await move.plan()
            #expect(plan.created == 1 && plan.refused == [.appFactor: 1], "\(plan)")
            _ = try await move.apply(isPartial: true)
            #expect(try await move.verify().isSuccess)
            let session = try await world.signIn(FromClerkWorld.email(0))
            let token = try #require(session["access_token"]?.string)
            let factor = try #require(session["user"]?["factors"]?[0]?["id"]?.string)
            let challenge = try await world.ask("/factors/\(factor)/challenge", [:], bearer: token)
            let code = try #require(TOTP(secret: secret.reveal()).code(at: SystemClock().now))
            let verified = try await world.ask(
                "/factors/\(factor)/verify",
                ["challenge_id": .string(challenge["id"]?.string ?? ""), "code": .string(code)], bearer: token)
            #expect(verified["access_token"]?.string != nil, "\(verified)")
        }
        try await FromClerkWorld.with([user(0)], to: .firebase) { world in
            let plan = try await world.move().plan()
            #expect(plan.refused == [.appFactorNotAccepted: 1])
        }
    }

    @Test(.covers("M11", "M53"), arguments: FromClerkWorld.End.allCases)
    func killsDuplicateNobody(_ end: FromClerkWorld.End) async throws {
        let users = (0..<10).map { FromClerkWorld.user($0, Hash.bcrypt) }
        try await FromClerkWorld.with(users, to: end) { world in
            _ = try await world.move().plan()
            for (write, moment) in [(1, MortalJournal.Moment.before), (3, .after), (3, .before)] {
                let mortal = MortalJournal(world.run.journal, killedAt: write, moment)
                await #expect(throws: MigrationError.self) { try await world.move(journal: mortal).apply(isPartial: false) }
            }
            #expect(try await world.move().apply(isPartial: false).states == [.complete: users.count])
            #expect(try await world.targetCount() == users.count)
            #expect(try await world.move().verify().isSuccess)
            #expect(try await world.move().undo(isDry: false).deleted == users.count)
            #expect(try await world.targetCount() == 0)
            let writes = world.source.panel.transcript.entries.filter { $0.request.method != "GET" }
            #expect(writes.isEmpty, "a move never changes its source")
        }
    }

    @Test(.covers("M33"), arguments: FromClerkWorld.End.allCases)
    func laterChangesAreFollowed(_ end: FromClerkWorld.End) async throws {
        try await FromClerkWorld.with((0..<4).map { FromClerkWorld.user($0, Hash.bcrypt) }, to: end) { world in
            let move = try await world.move()
            _ = try await move.plan()
            _ = try await move.apply(isPartial: false)
            let admin = world.source.emulator.admin
            var values = UserValues()
            (values.displayName, values.appMetadata) = ("Renamed", ["role": "editor"])
            try await admin.update(FromClerkWorld.id(0), values)
            try admin.deleteUser(FromClerkWorld.id(1))
            values = UserValues()
            values.password = "New-Password-2!"
            try await admin.update(FromClerkWorld.id(2), values)
            try admin.add([FromClerkWorld.user(9, Hash.bcrypt)])
            let report = try await world.move().follow(isDry: false)
            #expect([report.created, report.changed, report.deleted] == [1, 1, 1], "\(report)")
            // Until there is a newer export, the old password stays, and the user is named.
            #expect(report.named.count == 1 && report.named[0].details.contains("password"), "\(report.named)")
            let renamed = try await world.target().directory.user(
                id: try #require(move.mapping.targetID(of: FromClerkWorld.id(0))))
            #expect(renamed.displayName == "Renamed" && renamed.appMetadata["role"] == "editor")
        }
    }
}
