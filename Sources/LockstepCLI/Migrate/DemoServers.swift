import LockstepContracts
import LockstepCurl
import LockstepEmulation
import LockstepEmulatorTestSupport
import LockstepFirebaseEmulator
import LockstepGoTrue
import LockstepGoTrueEmulator
import LockstepGoTrueEmulatorDatabase
import LockstepMigration
import LockstepPostgresServer
import LockstepPrimitives

/// The servers of a rehearsal: two emulators, a Google identity provider, and the target's database.
struct DemoServers: Sendable {
    let source: EmulatorServer<FirebaseEmulator>
    let target: EmulatorServer<GoTrueEmulator>
    /// The target's rows; `nil` if the demo writes through its API.
    let rows: DemoRows?
    private let provider: EmulatorServer<IssuerServer>
    private let issuer: TokenIssuer

    /// The client id of the app at the identity provider.
    private static let app = "demo-app"

    /// Starts the servers.
    ///
    /// - `rows`: The database of the target; `nil` to write through its API.
    init(rows: DemoRows?) throws {
        var settings = FirebaseSettings(mode: .strict)
        settings.hashing.memoryCost = ScryptSettings.memoryCost(.least)
        let keys = try TokenIssuer.Keys()
        self.rows = rows
        source = try FirebaseEmulator.start(settings)
        do {
            provider = try IssuerServer.start(publishing: keys.published)
        } catch {
            source.stop()
            throw error
        }
        do {
            var settings = try GoTrueSettings(
                environment: [("LOCKSTEP_PASSWORD_COST", "least"), ("GOTRUE_EXTERNAL_PHONE_ENABLED", "true")])
            settings.factors.phone.mayVerify = true
            var google = ProviderSettings(clients: [Self.app], secret: "demo", issuer: provider.base)
            google.allowsNoEmail = true
            settings.providers["google"] = google
            let mirror = try rows.map { try GoTrueRows(Secret($0.address), createsSchema: true) }
            target = try GoTrueEmulator.start(settings, mirror: mirror)
        } catch {
            source.stop()
            provider.stop()
            throw error
        }
        issuer = TokenIssuer(.google, issuer: provider.base, audience: Self.app, keys: keys, clock: SystemClock())
    }

    func stop() {
        source.stop()
        target.stop()
        provider.stop()
    }

    /// Returns the id of a plain user; plain users follow the unusual ones.
    static func plainID(_ number: Int) -> String { "plain-\(String(number + 1_000_000).dropFirst())" }

    /// Returns the address of a plain user.
    static func plainEmail(_ number: Int) -> String { "user\(number)@example.com" }

    /// Fills the source with the unusual users, and with plain users for the rest.
    ///
    /// - Returns: The users that the source has rejected.
    func fill(users: Int) async throws -> [FirebaseAdministrator.ImportProblem] {
        let own = OddUser.all.filter { $0.hashing != .imported }.map(Self.document)
        let plain = (0..<max(users - OddUser.all.count, 0)).map { number -> JSON in
            [
                "localId": .string(Self.plainID(number)), "email": .string(Self.plainEmail(number)), "emailVerified": true,
                "displayName": .string("User \(number)"), "rawPassword": .string(OddUser.password.reveal()),
                "createdAt": .string(String(1_600_000_000_000 + number)),
            ]
        }
        let imported = OddUser.all.filter { $0.hashing == .imported }.map(Self.document)
        let admin = source.emulator.admin
        return try await admin.importUsers(["users": .array(own + plain)])
            + admin.importUsers(["users": .array(imported), "hashAlgorithm": "BCRYPT"])
    }

    /// Returns an unusual user in the format of the source's own tools.
    private static func document(_ user: OddUser) -> JSON {
        var members: JSONObject = [
            "localId": .string(user.id), "emailVerified": .bool(user.isEmailVerified), "createdAt": "1600000000000",
            "disabled": .bool(user.isDisabled),
        ]
        members["email"] = user.email.map(JSON.string)
        members["phoneNumber"] = user.phone.map(JSON.string)
        members["displayName"] = user.displayName.map(JSON.string)
        members["photoUrl"] = user.photoURL.map(JSON.string)
        switch user.hashing {
        case .own: members["rawPassword"] = .string(OddUser.password.reveal())
        case .imported: members["passwordHash"] = .string(Base64.encode(Array(OddUser.importedHash.reveal().utf8)))
        case .none: break
        }
        if !user.claims.isEmpty { members["customAttributes"] = .string(JSON.object(user.claims).text()) }
        if !user.providers.isEmpty {
            members["providerUserInfo"] = .array(
                user.providers.map { provider in
                    var members: JSONObject = [
                        "providerId": .string("\(provider).com"), "rawId": .string(subject(of: user, at: provider)),
                    ]
                    members["email"] = user.email.map(JSON.string)
                    return .object(members)
                })
        }
        if let phone = user.factorPhone {
            members["mfaInfo"] = [["mfaEnrollmentId": .string("factor-\(user.id)"), "phoneInfo": .string(phone)]]
        }
        return .object(members)
    }

    /// Returns the user's id at an identity provider.
    private static func subject(of user: OddUser, at provider: IdentityProvider) -> String { "\(provider)-\(user.id)" }

    /// The result of a sign-in on the target.
    enum SignIn: Sendable, Equatable {
        case session
        case refused(AuthError.Code)
        /// The sign-in asks for more, such as a verified address.
        case asksForMore
    }

    /// Signs in on the target with the old password, in the same way as an app.
    func signIn(_ email: String) async throws -> SignIn {
        let client = try client()
        do throws(AuthError) {
            let step = try await client.signIn(with: .password(email: email, password: OddUser.password))
            return step.session == nil ? .asksForMore : .session
        } catch {
            return .refused(error.code)
        }
    }

    /// Signs in on the target with Google, in the same way as an app.
    ///
    /// The result is the id of the signed-in user; `nil` if nobody is signed in.
    ///
    /// - `email`: The verified address that Google has for the user now.
    func signInWithGoogle(_ user: OddUser, email: String?) async throws -> String? {
        let subject = IdentitySubject(id: Self.subject(of: user, at: .google), email: email, name: user.displayName)
        let token = try await issuer.idToken(for: subject, flaw: nil)
        let client = try client()
        do throws(AuthError) {
            return try await client.signIn(with: .idToken(.google, token: token)).session?.user.id
        } catch {
            return nil
        }
    }

    private func client() throws -> AuthClient {
        let clock = SystemClock()
        let configuration = try GoTrueConfiguration(url: target.base, key: target.emulator.anonKey)
        return AuthClient(
            adapter: GoTrueAdapter(configuration, transport: CurlTransport()), store: MemorySessionStore(clock: clock),
            effects: ClientEffects(clock: clock, randomness: SystemRandomness()))
    }
}
