import LockstepClerk
import LockstepClerkEmulator
import LockstepCurl
import LockstepEmulation
import LockstepHTTP
import LockstepMigration
import LockstepPrimitives

/// Clerk in a rehearsal.
struct DemoClerk: DemoEnd {
    let name = "clerk"
    let rows: DemoRows? = nil
    let showsHashes = false
    let countsFirstFactors = false
    let oddUsers: [OddUser] = []
    let keepsIdentities = false
    let givesAccountsToOwners = false
    let notes: (source: String?, target: String?) = (nil, nil)
    let creation = RequestMatch("POST", "/v1/users")
    private let emulator: EmulatorServer<ClerkEmulator>

    var server: any RunningEmulator { emulator }
    var key: Secret? { emulator.emulator.secretKey }

    init(_ provider: DemoProvider) throws {
        var settings = try ClerkSettings([("PASSWORD_COST", "least")])
        settings.emailAddress = .optional
        settings.providers = ["google", "apple"].map { name in
            LockstepClerkEmulator.IdentityProvider(
                name: name, issuer: provider.issuer, audiences: [DemoProvider.app], keys: provider.keys)
        }
        emulator = try ClerkEmulator.start(settings)
    }

    func requests(for users: Int) -> Int { users }

    func side() -> (members: JSONObject, files: [(String, Secret)]) {
        (
            [
                "provider": "clerk", "url": .string(base), "key": ["file": "secret-key"],
                "publicKey": .string(emulator.emulator.publishableKey),
            ], [("secret-key", emulator.emulator.secretKey)]
        )
    }

    func id(of name: String) -> String { name }
    func userCount() throws -> Int { try emulator.emulator.admin.userCount() }

    func fill(_ users: [OddUser]) async throws -> [String] { users.map { "\($0.id): users cannot move from Clerk yet" } }

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
        case _ where user.factorPhone != nil: return .isAbsent(.phoneFactor)
        case .isAbsent(.anonymousUser), .isAbsent(.addressNotAccepted): return expected
        case _ where user.email == nil && user.phone == nil: return .isAbsent(.noAddressOrNumber)
        // A reserved address signs in.
        case .verifiesFirst: return .signsIn
        case .isAbsent(.appFactorNotAccepted): return .asksForFactor
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
        try ClerkAdapter(publishableKey: emulator.emulator.publishableKey, url: base, transport: CurlTransport())
    }
}
