import LockstepCurl
import LockstepEmulation
import LockstepFirebaseEmulator
import LockstepGoTrue
import LockstepGoTrueEmulator
import LockstepMigration
import LockstepPrimitives

/// The two emulators of a rehearsal.
struct DemoServers: Sendable {
    let source: EmulatorServer<FirebaseEmulator>
    let target: EmulatorServer<GoTrueEmulator>

    init() throws {
        var settings = FirebaseSettings(mode: .strict)
        settings.hashing.memoryCost = ScryptSettings.memoryCost(.least)
        source = try FirebaseEmulator.start(settings)
        do {
            target = try GoTrueEmulator.start(
                try GoTrueSettings(
                    environment: [("LOCKSTEP_PASSWORD_COST", "least"), ("GOTRUE_EXTERNAL_PHONE_ENABLED", "true")]))
        } catch {
            source.stop()
            throw error
        }
    }

    func stop() {
        source.stop()
        target.stop()
    }

    /// The id of a plain user; they stand behind the odd ones.
    static func plainID(_ number: Int) -> String { "plain-\(String(number + 1_000_000).dropFirst())" }

    /// The address of a plain user.
    static func plainEmail(_ number: Int) -> String { "user\(number)@example.com" }

    /// Fills the source with the odd users and as many plain ones as are left.
    ///
    /// - Returns: The users whom the source has refused.
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

    /// An odd user as the source's own tools write it.
    private static func document(_ user: OddUser) -> JSON {
        var members: JSONObject = [
            "localId": .string(user.id), "emailVerified": .bool(user.isEmailVerified), "createdAt": "1600000000000",
            "disabled": .bool(user.isDisabled),
        ]
        members["email"] = user.email.map(JSON.string)
        members["phoneNumber"] = user.phone.map(JSON.string)
        members["displayName"] = user.displayName.map(JSON.string)
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
                        "providerId": .string("\(provider).com"), "rawId": .string("\(provider)-\(user.id)"),
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

    /// What becomes of a sign-in at the target by an app of its own.
    enum SignIn: Sendable, Equatable {
        case session
        case refused(AuthError.Code)
        /// The sign-in asks for more, such as a verified address.
        case asksForMore
    }

    /// Signs in at the target with the old password, as an app would.
    func signIn(_ email: String) async throws -> SignIn {
        let clock = SystemClock()
        let adapter = GoTrueAdapter(
            try GoTrueConfiguration(url: target.base, key: Secret(target.emulator.anonKey)), transport: CurlTransport())
        let client = AuthClient(
            adapter: adapter, store: MemorySessionStore(clock: clock),
            effects: ClientEffects(clock: clock, randomness: SystemRandomness()))
        do throws(AuthError) {
            let step = try await client.signIn(with: .password(email: email, password: OddUser.password))
            return step.session == nil ? .asksForMore : .session
        } catch {
            return .refused(error.code)
        }
    }
}
