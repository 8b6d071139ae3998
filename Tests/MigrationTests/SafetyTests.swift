import LockstepContracts
import LockstepCurl
import LockstepEmulation
import LockstepEmulatorTestSupport
import LockstepGoTrue
import LockstepGoTrueDatabase
import LockstepGoTrueDirectory
import LockstepGoTrueEmulator
import LockstepGoTrueEmulatorDatabase
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

@testable import LockstepMigration

/// No move may change who can sign in to which account.
@Suite("Safety of a move", .limitedConcurrency) struct SafetyTests {
    private static func client(_ server: EmulatorServer<GoTrueEmulator>) throws -> AuthClient {
        let adapter = GoTrueAdapter(
            try GoTrueConfiguration(url: server.base, key: server.emulator.anonKey), transport: CurlTransport())
        let clock = SystemClock()
        return AuthClient(
            adapter: adapter, store: MemorySessionStore(clock: clock),
            effects: ClientEffects(clock: clock, randomness: SystemRandomness()))
    }

    private enum Outcome: Equatable { case session(String), asksForMore, refused(AuthError.Code) }

    private static func signIn(_ world: MoveWorld, _ email: String, _ password: Secret) async throws -> Outcome {
        let client = try client(world.target)
        do throws(AuthError) {
            let step = try await client.signIn(with: .password(email: email, password: password))
            return step.session.map { .session($0.user.id) } ?? .asksForMore
        } catch {
            return .refused(error.code)
        }
    }

    /// An identity provider in place of Google.
    private struct Google {
        private let server: EmulatorServer<IssuerServer>
        private let issuer: TokenIssuer

        init() throws {
            let keys = try TokenIssuer.Keys()
            server = try IssuerServer.start(publishing: keys.published)
            issuer = TokenIssuer(.google, issuer: server.base, audience: "app", keys: keys, clock: SystemClock())
        }

        var settings: ProviderSettings {
            ProviderSettings(clients: ["app"], secret: "issuers-secret", issuer: server.base)
        }

        func stop() { server.stop() }

        func signIn(_ subject: String, _ email: String, at target: EmulatorServer<GoTrueEmulator>) async throws -> User {
            let nonce = IDTokenNonce(randomness: SystemRandomness())
            let token = try await issuer.idToken(
                for: IdentitySubject(id: subject, email: email, nonce: nonce.hashed), flaw: nil)
            let step = try await client(target).signIn(with: .idToken(.google, token: token, nonce: nonce.raw))
            return try #require(step.session).user
        }
    }

    /// Runs a test with a target that has its own Google.
    private static func withGoogle(
        _ body: (MoveWorld, _ google: (_ subject: String, _ email: String) async throws -> User) async throws -> Void
    ) async throws {
        try await MoveWorld.with(users: 1) { world in
            let google = try Google()
            defer { google.stop() }
            world.target.emulator.admin.change { $0.providers["google"] = google.settings }
            try await body(world) { subject, email in try await google.signIn(subject, email, at: world.target) }
        }
    }

    @Test(.covers("M16")) func unverifiedAddressesAndNumbersStayUnverified() async throws {
        try await MoveWorld.with(users: 1) { world in
            try await world.importUsers([
                MoveWorld.user(5, ["emailVerified": false]), MoveWorld.user(6, ["emailVerified": .null]),
                MoveWorld.user(7, ["emailVerified": false, "phoneNumber": "+4915112345678"]),
            ])
            let rows = try await RowsTarget()
            let folder = try world.run()
            let byRows = try await UserMove(
                from: world.move(folder).source, to: rows.target(), MoveChoices(), key: folder.key, journal: folder.journal)
            _ = try await byRows.plan()
            _ = try await byRows.apply(isPartial: true)
            let (_, move) = try await VerifyTests.applied(world)
            for number in 5...7 {
                let id = move.mapping.knownID(of: MoveWorld.id(number))
                #expect(try await world.goTrue().user(id: id).isEmailConfirmed == false)
                #expect(try await rows.rows().user(id: id).isEmailConfirmed == false)
                let outcome = try await Self.signIn(world, MoveWorld.email(number), MoveWorld.password)
                #expect(outcome == .asksForMore)
            }
            #expect(try await Self.signIn(world, MoveWorld.email(0), MoveWorld.password) != .asksForMore)
        }
    }

    /// Someone has signed up in the source with the address of another person, and never verified it.
    @Test(.covers("M17"), arguments: [false, true])
    func ownersSignInVoidsThePasswordOfAPreparedAccount(_ isLinked: Bool) async throws {
        try await Self.withGoogle { world, google in
            var more: JSONObject = ["emailVerified": false, "email": "victim@example.com"]
            // The attacker's own identity at a provider must not survive either.
            if isLinked { more["providerUserInfo"] = [["providerId": "github.com", "rawId": "attacker"]] }
            try await world.importUsers([MoveWorld.user(5, more)])
            _ = try await VerifyTests.applied(world)
            #expect(try await Self.signIn(world, "victim@example.com", MoveWorld.password) == .asksForMore)
            let owner = try await google("g-victim", "victim@example.com")
            #expect(owner.email == "victim@example.com")
            let outcome = try await Self.signIn(world, "victim@example.com", MoveWorld.password)
            #expect(outcome == .refused(.invalidCredentials))
            // The other users are unchanged.
            #expect(try await Self.signIn(world, MoveWorld.email(0), MoveWorld.password) != outcome)
        }
    }

    /// A verified user who signs in with Google gets the same account, and keeps the password.
    @Test func verifiedUserKeepsTheAccountAndThePasswordAfterAProvidersSignIn() async throws {
        try await Self.withGoogle { world, google in
            let (_, move) = try await VerifyTests.applied(world)
            let user = try await google("g-user", MoveWorld.email(0))
            #expect(user.id == move.mapping.knownID(of: MoveWorld.id(0)))
            #expect(try await Self.signIn(world, MoveWorld.email(0), MoveWorld.password) == .session(user.id))
        }
    }

    @Test(.covers("M21")) func movedIdentitySignsInAfterAnAddressChange() async throws {
        try await MoveWorld.with(users: 1) { world in
            try await world.importUsers([
                MoveWorld.user(5, ["providerUserInfo": [["providerId": "google.com", "rawId": "g-5"]]])
            ])
            let rows = try await RowsTarget()
            let folder = try world.run()
            let move = try await UserMove(
                from: world.move(folder).source, to: rows.target(), MoveChoices(), key: folder.key, journal: folder.journal)
            _ = try await move.plan()
            _ = try await move.apply(isPartial: true)
            let google = try Google()
            defer { google.stop() }
            var settings = try GoTrueSettings(environment: [("LOCKSTEP_PASSWORD_COST", "least")])
            settings.providers["google"] = google.settings
            let server = try GoTrueEmulator.start(settings, mirror: try GoTrueRows(Secret(rows.address)))
            defer { server.stop() }
            let user = try await google.signIn("g-5", "changed@example.com", at: server)
            #expect(user.id == move.mapping.knownID(of: MoveWorld.id(5)))
            #expect(try await rows.count() == 2)
        }
    }

    @Test(.covers("M20")) func providerOnlyUserGetsNoUsablePassword() async throws {
        try await MoveWorld.with(users: 1) { world in
            try await world.importUsers([
                MoveWorld.user(
                    5, ["rawPassword": .null, "providerUserInfo": [["providerId": "google.com", "rawId": "g-5"]]])
            ])
            let rows = try await RowsTarget()
            let folder = try world.run()
            let byRows = try await UserMove(
                from: world.move(folder).source, to: rows.target(), MoveChoices(), key: folder.key, journal: folder.journal)
            _ = try await byRows.plan()
            _ = try await byRows.apply(isPartial: true)
            let id = byRows.mapping.knownID(of: MoveWorld.id(5))
            #expect(try await rows.sql("SELECT coalesce(encrypted_password, '') = '' FROM auth.users WHERE id = '\(id)'") == "t")
            _ = try await VerifyTests.applied(world)
            for password in [MoveWorld.password, " ", "g-5", "google", Secret(MoveWorld.email(5)), Secret(id)] {
                let outcome = try await Self.signIn(world, MoveWorld.email(5), password)
                #expect(outcome == .refused(.invalidCredentials))
            }
        }
    }
}
