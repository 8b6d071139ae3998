import LockstepClerk
import LockstepClerkEmulator
import LockstepCurl
import LockstepEmulation
import LockstepHTTP
import LockstepMigration
import LockstepPasswords
import LockstepPrimitives

/// Clerk in a rehearsal, with an export of its users.
struct DemoClerk: DemoEnd {
    let name = "clerk"
    let rows: DemoRows? = nil
    let showsHashes = true
    let countsFirstFactors = false
    let keepsIdentities = false
    let givesAccountsToOwners = false
    let notes: (source: String?, target: String?) = (nil, nil)
    let creation = RequestMatch("POST", "/v1/users")
    let lists = [MoveList.Kind.organizations: 1, .memberships: 2]
    private let emulator: EmulatorServer<ClerkEmulator>

    var server: any RunningEmulator { emulator }
    var key: Secret? { emulator.emulator.secretKey }

    init(_ provider: DemoProvider) throws {
        var settings = try ClerkSettings([("PASSWORD_COST", "least")])
        (settings.emailAddress, settings.password) = (.optional, .optional)
        settings.organizations.isEnabled = true
        settings.providers = ["google", "apple"].map { name in
            LockstepClerkEmulator.IdentityProvider(
                name: name, issuer: provider.issuer, audiences: [DemoProvider.app], keys: provider.keys)
        }
        emulator = try ClerkEmulator.start(settings)
    }

    func requests(for users: Int) -> Int { users }

    /// The time of the export, before which all plain users have set their passwords.
    private static let exportedAt = Instant(seconds: 1_650_000_000)
    private static let export = "users.csv"

    func side() -> (members: JSONObject, files: [(String, Secret)]) {
        (
            [
                "provider": "clerk", "url": .string(base), "key": ["file": "clerk-key"], "export": .string(Self.export),
                "exportedAt": .string(Self.exportedAt.rfc3339), "publicKey": .string(emulator.emulator.publishableKey),
            ], [("clerk-key", emulator.emulator.secretKey)]
        )
    }

    func export() throws -> [(String, [UInt8])] { [(Self.export, try emulator.emulator.admin.exportUsers())] }

    // An id has only letters and digits.
    func id(of name: String) -> String { "user_" + name.filter { $0 != "-" } }
    func userCount() throws -> Int { try emulator.emulator.admin.userCount() }

    // MARK: Users of a source

    let oddUsers = [
        OddUser("apostrophe", .signsIn) { ($0.email, $0.displayName) = ("o'brien@example.com", "Conan O'Brien") },
        OddUser("emoji", .signsIn) { $0.displayName = "\u{1F469}\u{200D}\u{1F469}\u{200D}\u{1F467} Zo\u{65}\u{308}" },
        OddUser("claims", .signsIn) { $0.claims = ["role": "admin", "list": [1, 2.5, .null, true]] },
        OddUser("private-data", .signsIn) { $0.privateData = ["stripe": "cus_1"] },
        OddUser("user-name", .signsIn) { $0.username = "ada" },
        OddUser("two-addresses", .signsIn) { $0.otherEmail = "second@example.com" },
        OddUser("argon2id", .signsIn) { $0.hashing = .given(OddUser.hash(like: "$argon2id$v=19$m=19456,t=2,p=1")) },
        OddUser("firebase-scrypt", .signsIn) { $0.hashing = .given(OddUser.firebaseHash) },
        OddUser("address-and-number", .signsIn) { $0.phone = "+4915112345601" },
        OddUser("several-providers", .signsIn) { $0.providers = [.google, .apple] },
        OddUser("unverified", .verifiesFirst) { $0.isEmailVerified = false },
        OddUser("phone-only", .hasNoPassword) {
            ($0.email, $0.phone, $0.hashing, $0.isEmailVerified) = (nil, "+4915112345602", .none, false)
        },
        OddUser("social-only", .hasNoPassword) { ($0.hashing, $0.providers) = (.none, [.google]) },
        OddUser("new-password", .hasNoPassword) { $0.hasNewPassword = true },
        OddUser("disabled", .isDisabled) { $0.isDisabled = true },
        OddUser("authenticator-app", .isAbsent(.appFactorNotAccepted)) {
            ($0.hasApp, $0.rowsExpectation) = (true, .asksForFactor)
        },
        OddUser("text-message-factor", .isAbsent(.phoneFactor)) {
            ($0.factorPhone, $0.rowsExpectation) = ("+4915112345603", .asksForFactor)
        },
        OddUser("only-a-user-name", .isAbsent(.noAddressOrNumber)) {
            ($0.email, $0.username, $0.isEmailVerified) = (nil, "grace", false)
        },
    ]

    func fill(_ users: [OddUser]) async throws -> [String] {
        let admin = emulator.emulator.admin
        var organizations: [SeedOrganization] = []
        if try admin.userCount() == 0, users.count > 1 {
            var acme = SeedOrganization(id: "org_acme", name: "Acme")
            acme.members = [
                .init(user: id(of: users[0].id), role: "org:admin"), .init(user: id(of: users[1].id), role: "org:member"),
            ]
            organizations.append(acme)
        }
        do {
            try admin.add(users.map(record), organizations)
        } catch let problem as SeedProblem {
            return [problem.description]
        }
        for user in users where user.hasNewPassword {
            var values = UserValues()
            values.password = "New-Password-2!"
            try await admin.update(id(of: user.id), values)
        }
        return []
    }

    private func record(_ user: OddUser) -> SeedUser {
        var new = SeedUser()
        new.id = id(of: user.id)
        (new.email, new.phone, new.username, new.displayName) = (user.email, user.phone, user.username, user.displayName)
        (new.isEmailConfirmed, new.isPhoneConfirmed) = (user.email != nil && user.isEmailVerified, user.phone != nil)
        new.otherEmails = [user.otherEmail].compactMap { $0.map { DirectoryAddress($0, isConfirmed: true) } }
        (new.appMetadata, new.privateMetadata, new.isDisabled) = (user.claims, user.privateData, user.isDisabled)
        new.createdAt = Instant(seconds: 1_600_000_000)
        switch user.hashing {
        case .own, .imported: new.passwordHash = OddUser.importedHash
        case .given(let hash): new.passwordHash = hash
        case .none: break
        }
        new.identities = user.providers.map {
            SeedIdentity(provider: $0.rawValue, subject: subject(of: user, at: $0), email: user.email)
        }
        if user.hasApp { new.factors.append(DirectoryFactor(.authenticatorApp(secret: "JBSWY3DPEHPK3PXP"))) }
        if let phone = user.factorPhone { new.factors.append(DirectoryFactor(.phone(phone))) }
        return new
    }

    func change(_ id: String, name: String, claims: JSONObject) async throws {
        var values = UserValues()
        (values.displayName, values.appMetadata) = (name, claims)
        try await emulator.emulator.admin.update(id, values)
    }

    func delete(_ id: String) async throws { try emulator.emulator.admin.deleteUser(id) }

    // MARK: Users of a target

    func expectation(of user: OddUser, hasRows: Bool) -> OddUser.Expectation {
        let expected = user.expectation(hasRows: hasRows)
        switch expected {
        case .isAbsent(.anonymousUser), .isAbsent(.addressNotAccepted): return expected
        case _ where user.email == nil && user.phone == nil: return .isAbsent(.noAddressOrNumber)
        // A reserved address signs in.
        case .verifiesFirst: return .signsIn
        case .isAbsent(.appFactorNotAccepted), .isAbsent(.phoneFactor): return .asksForFactor
        // The limit for claims is larger, and every kind of hash is accepted.
        case .isAbsent(.dataTooLarge): return hasRows ? .signsIn : .hasNoPassword
        case .hasNoPassword:
            if case .given = user.hashing, hasRows { return .signsIn }
            return expected
        default: return expected
        }
    }

    func displayName(email: String) throws -> String? {
        try emulator.emulator.admin.user(withAddress: email).map { $0.displayName ?? "" }
    }

    func googleUser(_ user: OddUser) async throws -> String? {
        try user.email.flatMap { try emulator.emulator.admin.user(withAddress: $0)?.id }
    }

    func adapter() throws -> any AuthAdapter {
        try ClerkAdapter(url: base, key: emulator.emulator.publishableKey, transport: CurlTransport())
    }
}
