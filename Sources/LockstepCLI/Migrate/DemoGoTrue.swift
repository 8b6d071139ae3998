import LockstepCurl
import LockstepDirectory
import LockstepEmulation
import LockstepGoTrue
import LockstepGoTrueDatabase
import LockstepGoTrueEmulator
import LockstepGoTrueEmulatorDatabase
import LockstepMigration
import LockstepPrimitives

/// GoTrue in a rehearsal, with or without its rows.
struct DemoGoTrue: DemoEnd {
    let name = "gotrue"
    let rows: DemoRows?
    let countsFirstFactors = true
    let creation = RequestMatch("POST", "/admin/users")
    private let emulator: EmulatorServer<GoTrueEmulator>

    var server: any RunningEmulator { emulator }
    var key: Secret? { emulator.emulator.serviceRoleKey }
    var showsHashes: Bool { rows != nil }

    /// - `rows`: The database of the users; `nil` to use only the API.
    init(_ provider: DemoProvider, rows: DemoRows?) throws {
        self.rows = rows
        var settings = try GoTrueSettings(
            environment: [("LOCKSTEP_PASSWORD_COST", "least"), ("GOTRUE_EXTERNAL_PHONE_ENABLED", "true")])
        settings.factors.phone.mayVerify = true
        var google = ProviderSettings(clients: [DemoProvider.app], secret: "demo", issuer: provider.issuer)
        google.allowsNoEmail = true
        settings.providers["google"] = google
        let mirror = try rows.map { try GoTrueRows(Secret($0.address), createsSchema: true) }
        emulator = try GoTrueEmulator.start(settings, mirror: mirror)
    }

    var notes: (source: String?, target: String?) {
        guard rows == nil else { return (nil, nil) }
        return (
            "The API shows no hashes of passwords, and no secrets of authenticator apps.",
            "The API cannot write times, provider identities, second factors, or users who have neither an address nor a number."
        )
    }

    func requests(for users: Int) -> Int { users }

    func side() -> (members: JSONObject, files: [(String, Secret)]) {
        var members: JSONObject = ["provider": "gotrue", "url": .string(base), "key": ["file": "service-role"]]
        var files = [("service-role", emulator.emulator.serviceRoleKey)]
        if let rows {
            members["database"] = ["file": "database"]
            files.append(("database", Secret(rows.address)))
        }
        return (members, files)
    }

    func id(of name: String) -> String { NameUUID(name, in: .dns).text }
    func userCount() throws -> Int { try emulator.emulator.admin.userCount() }

    // MARK: Users of a source

    var oddUsers: [OddUser] { rows == nil ? Self.madeByAPI : Self.madeByAPI + Self.madeByRows }

    private static let madeByAPI = [
        OddUser("apostrophe", .hasNoPassword) {
            ($0.email, $0.displayName, $0.rowsExpectation) = ("o'brien@example.com", "Conan O'Brien", .signsIn)
        },
        OddUser("emoji", .hasNoPassword) {
            $0.displayName = "\u{1F469}\u{200D}\u{1F469}\u{200D}\u{1F467} Zo\u{65}\u{308}"
            $0.rowsExpectation = .signsIn
        },
        OddUser("claims", .hasNoPassword) {
            ($0.claims, $0.rowsExpectation) = (["role": "admin", "list": [1, 2.5, .null, true]], .signsIn)
        },
        OddUser("large-claims", .isAbsent(.dataTooLarge)) {
            $0.claims = ["notes": .string(String(repeating: "claim ", count: 200))]
        },
        OddUser("address-and-number", .hasNoPassword) { ($0.phone, $0.rowsExpectation) = ("+4915112345601", .signsIn) },
        OddUser("unverified", .hasNoPassword) { ($0.isEmailVerified, $0.rowsExpectation) = (false, .verifiesFirst) },
        OddUser("disabled", .isDisabled) { $0.isDisabled = true },
        OddUser("authenticator-app", .isAbsent(.appFactor)) {
            ($0.hasApp, $0.rowsExpectation) = (true, .isAbsent(.appFactorNotAccepted))
        },
        OddUser("text-message-factor", .hasNoPassword) {
            ($0.factorPhone, $0.rowsExpectation) = ("+4915112345603", .asksForFactor)
        },
    ]

    private static let madeByRows = [
        OddUser("argon2id", .signsIn) { $0.hashing = .given(OddUser.hash(like: "$argon2id$v=19$m=19456,t=2,p=1")) },
        OddUser("argon2id-64-mib", .hasNoPassword) { $0.hashing = .given(OddUser.hash(like: "$argon2id$v=19$m=65536,t=1,p=1")) },
        OddUser("firebase-scrypt", .signsIn) { $0.hashing = .given(OddUser.firebaseHash) },
        OddUser("several-providers", .signsIn) { $0.providers = [.google, .apple] },
        OddUser("social-only", .hasNoPassword) { ($0.hashing, $0.providers) = (.none, [.google]) },
        OddUser("phone-only", .hasNoPassword) {
            ($0.email, $0.phone, $0.hashing, $0.isEmailVerified) = (nil, "+4915112345602", .none, false)
        },
        OddUser("no-address", .hasNoPassword) {
            ($0.email, $0.hashing, $0.isEmailVerified, $0.providers) = (nil, .none, false, [.google])
        },
        OddUser("anonymous", .isAbsent(.anonymousUser)) { ($0.email, $0.hashing, $0.isEmailVerified) = (nil, .none, false) },
    ]

    func fill(_ users: [OddUser]) async throws -> [String] {
        guard let rows else { return try await fillByAdministrator(users) }
        let outcomes = try await GoTrueDatabase(Secret(rows.address)).create(users.map(record))
        return outcomes.compactMap { $0.error?.message }
    }

    private func fillByAdministrator(_ users: [OddUser]) async throws -> [String] {
        let admin = emulator.emulator.admin
        for user in users {
            var values = UserValues()
            (values.id, values.email, values.isEmailConfirmed) = (id(of: user.id), user.email, user.isEmailVerified)
            (values.phone, values.isPhoneConfirmed) = (user.phone, user.phone.map { _ in true })
            (values.displayName, values.isDisabled) = (user.displayName, user.isDisabled)
            values.password = OddUser.password
            values.appMetadata = user.claims.isEmpty ? nil : user.claims
            _ = try await admin.make(values)
            if user.hasApp { _ = try admin.addFactor(DirectoryFactor(.authenticatorApp(secret: nil)), to: id(of: user.id)) }
            if let phone = user.factorPhone { _ = try admin.addFactor(DirectoryFactor(.phone(phone)), to: id(of: user.id)) }
        }
        return []
    }

    private func record(_ user: OddUser) -> NewDirectoryUser {
        var new = NewDirectoryUser(email: user.email, phone: user.phone)
        new.id = id(of: user.id)
        (new.isEmailConfirmed, new.isPhoneConfirmed) = (user.email != nil && user.isEmailVerified, user.phone != nil)
        new.createdAt = Instant(seconds: 1_600_000_000)
        (new.displayName, new.photoURL, new.appMetadata) = (user.displayName, user.photoURL, user.claims)
        new.isDisabled = user.isDisabled
        new.isAnonymous = user.email == nil && user.phone == nil && user.providers.isEmpty
        switch user.hashing {
        case .own, .imported: new.password = .hash(OddUser.importedHash)
        case .given(let hash): new.password = .hash(hash)
        case .none: break
        }
        new.providerIdentities = user.providers.map {
            DirectoryIdentity($0, subject: subject(of: user, at: $0), email: user.email)
        }
        if user.hasApp { new.factors.append(DirectoryFactor(.authenticatorApp(secret: "JBSWY3DPEHPK3PXP"))) }
        if let phone = user.factorPhone { new.factors.append(DirectoryFactor(.phone(phone))) }
        return new
    }

    func change(_ id: String, name: String, claims: JSONObject) async throws {
        guard let rows else {
            var values = UserValues()
            (values.displayName, values.appMetadata) = (name, claims)
            return try await emulator.emulator.admin.update(id, values)
        }
        var changes = DirectoryChanges()
        (changes.displayName, changes.appMetadata) = (name, claims)
        _ = try await GoTrueDatabase(Secret(rows.address)).update(id, changes)
    }

    func delete(_ id: String) async throws {
        guard let rows else { return try emulator.emulator.admin.deleteUser(id) }
        try await GoTrueDatabase(Secret(rows.address)).delete(id)
    }

    // MARK: Users of a target

    func displayName(email: String) throws -> String? {
        try emulator.emulator.admin.account(email: email).map { $0.metadata["display_name"]?.string ?? "" }
    }

    func googleUser(_ user: OddUser) async throws -> String? {
        // Without rows, only the address connects both.
        guard let rows else { return try user.email.flatMap { try emulator.emulator.admin.account(email: $0)?.id } }
        return try await rows.sql(
            "SELECT user_id FROM auth.identities WHERE provider_id = '\(subject(of: user, at: .google))'")
    }

    func adapter() throws -> any AuthAdapter {
        GoTrueAdapter(
            try GoTrueConfiguration(url: base, key: emulator.emulator.anonKey), transport: CurlTransport())
    }
}
