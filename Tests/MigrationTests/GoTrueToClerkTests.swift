import LockstepDirectory
import LockstepEmulation
import LockstepEmulatorTestSupport
import LockstepGoTrueDatabase
import LockstepPasswords
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

@testable import LockstepCLI
@testable import LockstepMigration

@Suite("From GoTrue to Clerk", .limitedConcurrency, .timeLimit(.minutes(5)))
struct GoTrueToClerkTests {
    private static func source(_ rows: RowsTarget) throws -> MoveSource {
        var source = MoveSource(try rows.rows(), project: "https://ref.supabase.co/auth/v1")
        source.access = .database
        MoveProvider.goTrue.declare(&source)
        return source
    }

    /// Each kind of hash signs in by plain HTTP with the old password.
    @Test(.covers("M03", "M29", "M50")) func oldPasswordsSignIn() async throws {
        let hashes: [Secret?] = try [
            OldHash.bcrypt, OldHash.published, OldHash.project(), OldHash.argon2("m=19456,t=2,p=1"),
            OldHash.argon2("m=65536,t=1,p=1"), nil, nil,
        ]
        try await ClerkWorld.with { world in
            let rows = try await RowsTarget()
            for (number, hash) in hashes.enumerated() {
                _ = try await rows.rows().create(ReverseWorld.user(number, hash))
            }
            // A hash that GoTrue itself cannot check is one all the same.
            try await rows.sql(
                "UPDATE auth.users SET encrypted_password = '\(OldHash.pbkdf2)' WHERE id = '\(ReverseWorld.id(5))'")
            let folder = try world.run()
            let move = try await world.move(folder, from: try Self.source(rows))
            let plan = try await move.plan()
            #expect(plan.ways == [.password: 6, .mailLink: 1] && plan.hashes.count == 6, "\(plan)")
            #expect(try await move.apply(isPartial: false).states == [.complete: hashes.count])
            #expect(try await move.verify(signingInThrough: try world.adapter()).isSuccess)
            for number in hashes.indices {
                let password = number == 1 ? OldHash.publishedPassword : ReverseWorld.password
                let answer = try await world.signIn(ReverseWorld.email(number), password)
                #expect((answer == "complete") == (number < 6), "\(number) \(answer)")
                #expect(try await world.signIn(ReverseWorld.email(number), "Wrong-1!") != "complete")
            }
        }
    }

    /// The app's secret moves: the sign-in asks for a code, and takes the one that is computed from the source's secret.
    @Test(.covers("M26", "M56")) func authenticatorAppSignsIn() async throws {
        let secret: Secret = "JBSWY3DPEHPK3PXP"
        try await ClerkWorld.with { world in
            let rows = try await RowsTarget()
            _ = try await rows.rows().create(
                ReverseWorld.user(0, OddUser.importedHash) { $0.factors = [DirectoryFactor(.authenticatorApp(secret: secret))] })
            _ = try await rows.rows().create(
                ReverseWorld.user(1, OddUser.importedHash) { $0.factors = [DirectoryFactor(.phone("+4915112345603"))] })
            // One that its user has not verified protects nobody, and must not lock anybody out.
            _ = try await rows.rows().create(
                ReverseWorld.user(2, OddUser.importedHash) {
                    $0.factors = [DirectoryFactor(.authenticatorApp(secret: secret), isVerified: false)]
                })
            let folder = try world.run()
            let move = try await world.move(folder, from: try Self.source(rows))
            let plan = try await move.plan()
            #expect(plan.created == 3 && plan.refused.isEmpty, "\(plan)")
            _ = try await move.apply(isPartial: true)
            #expect(try await move.verify().isSuccess)
            let code = AuthenticatorApp(secret: secret.reveal()).code(at: SystemClock().now)
            let attempt = try await world.attempt(
                ["identifier": ReverseWorld.email(0), "password": ReverseWorld.password.reveal()])
            #expect(attempt["status"] == "needs_second_factor")
            #expect(try await world.secondFactor(attempt, "totp", "000000") != "complete")
            #expect(try await world.secondFactor(attempt, "totp", code) == "complete")
            #expect(try await world.signIn(ReverseWorld.email(1), ReverseWorld.password) == "needs_second_factor")
            #expect(try await world.signIn(ReverseWorld.email(2), ReverseWorld.password) == "complete")
        }
    }

    /// Backup codes come only from a file, and move with the factor that they replace.
    @Test(.covers("M26")) func backupCodesSignIn() async throws {
        try await ClerkWorld.with { world in
            var codes = DirectoryFactor(.backupCodes(count: 2))
            codes.codes = ["k3hd92ka", "p40s8fh2"]
            var users = [FirebaseToClerkTests.full("a"), FirebaseToClerkTests.full("b")]
            users[0].factors.append(codes)
            users[1].factors = [codes]
            let folder = try world.run()
            let move = try await world.move(folder, from: MoveSource(ListedUsers(users), project: "demo"))
            let plan = try await move.plan()
            #expect(plan.fields.filter { $0.field == .backupCodes }.map(\.treatment) == [.kept, .lost], "\(plan.fields)")
            _ = try await move.apply(isPartial: false)
            #expect(try await move.verify().isSuccess)
            let form = ["identifier": "a@example.com", "password": OddUser.password.reveal()]
            let attempt = try await world.attempt(["identifier": form["identifier"] ?? "", "password": form["password"] ?? ""])
            #expect(try await world.secondFactor(attempt, "backup_code", "k3hd92ka") == "complete")
        }
    }
}
