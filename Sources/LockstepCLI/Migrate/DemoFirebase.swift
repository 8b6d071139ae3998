import LockstepCurl
import LockstepEmulation
import LockstepFirebase
import LockstepFirebaseEmulator
import LockstepHTTP
import LockstepMigration
import LockstepPrimitives

/// Firebase in a rehearsal.
struct DemoFirebase: DemoEnd {
    let name = "firebase"
    let rows: DemoRows? = nil
    let key: Secret? = nil
    let showsHashes = true
    let countsFirstFactors = false
    let oddUsers = OddUser.all
    let notes: (source: String?, target: String?) = (nil, nil)
    let creation = RequestMatch("POST", "*/accounts:batchCreate")
    private let emulator: EmulatorServer<FirebaseEmulator>

    var server: any RunningEmulator { emulator }

    init(_ provider: DemoProvider) throws {
        var settings = FirebaseSettings(mode: .strict)
        settings.hashing.memoryCost = ScryptSettings.memoryCost(.least)
        settings.identityProviders["google.com"] = TrustedIssuer(
            issuer: provider.issuer, audiences: [DemoProvider.app], keys: provider.keys)
        emulator = try FirebaseEmulator.start(settings)
    }

    // A move sends as many users in a request as the target accepts in a second.
    func requests(for users: Int) -> Int { users < 500 ? 1 : 5 }

    func side() -> (members: JSONObject, files: [(String, Secret)]) {
        (
            ["provider": "firebase", "emulator": .string(base), "project": .string(emulator.emulator.settings.project)], []
        )
    }

    func id(of name: String) -> String { name }
    func userCount() throws -> Int { try emulator.emulator.admin.userCount() }

    func prepare() async throws {
        for provider in ["google.com", "apple.com"] {
            let path =
                "/identitytoolkit.googleapis.com/v2/projects/\(emulator.emulator.settings.project)/defaultSupportedIdpConfigs"
            let response = try await CurlTransport().send(
                HTTPRequest(
                    .post, base + path, query: ["idpId": provider], headers: ["Authorization": "Bearer owner"],
                    body: .json(["enabled": true, "clientId": .string(DemoProvider.app), "clientSecret": "demo"])))
            guard response.isSuccess else { throw UsageError("the emulator did not turn on \(provider).") }
        }
    }

    func fill(_ users: [OddUser]) async throws -> [String] {
        let own = users.filter { $0.hashing != .imported }.map(document)
        let imported = users.filter { $0.hashing == .imported }.map(document)
        let admin = emulator.emulator.admin
        var problems = try await admin.importUsers(["users": .array(own)])
        if !imported.isEmpty {
            problems += try await admin.importUsers(["users": .array(imported), "hashAlgorithm": "BCRYPT"])
        }
        return problems.map(\.reason)
    }

    /// Returns a user in the format of Firebase's own tools.
    private func document(_ user: OddUser) -> JSON {
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
        case .given, .none: break
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

    func change(_ id: String, name: String, claims: JSONObject) async throws {
        var values = UserValues()
        (values.displayName, values.appMetadata) = (name, claims)
        try await emulator.emulator.admin.update(id, values)
    }

    func delete(_ id: String) async throws { try emulator.emulator.admin.deleteUser(id) }

    func displayName(email: String) throws -> String? {
        try emulator.emulator.admin.user(email: email).map { $0.displayName ?? "" }
    }

    // The ids of users stay.
    func googleUser(_ user: OddUser) async throws -> String? {
        let users = try emulator.emulator.admin.exportUsers()["users"]?.array ?? []
        return users.first { record in
            record["providerUserInfo"]?.array?.contains { $0["rawId"]?.string == subject(of: user, at: .google) } == true
                || user.email != nil && record["email"]?.string == user.email
        }?["localId"]?.string
    }

    func expectation(of user: OddUser, hasRows: Bool) -> OddUser.Expectation {
        let expected = user.expectation(hasRows: hasRows)
        return expected == .isAbsent(.phoneFactor) ? .asksForFactor : expected
    }

    func adapter() throws -> any AuthAdapter {
        FirebaseAdapter(try FirebaseConfiguration(url: base, key: "demo"), transport: CurlTransport())
    }
}
