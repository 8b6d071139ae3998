import LockstepCrypto
import LockstepEmulation
import LockstepFirebaseEmulator
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

/// Users in the file formats of Firebase's own tools.
@Suite(.limitedConcurrency)
struct TransferTests {
    /// Two users of the project, one of a tenant, and one whose hash was imported.
    private func filled(_ mode: FirebaseMode) async throws -> (emulator: TestEmulator, tenant: String) {
        let emulator = try TestEmulator(mode)
        #expect(try await emulator.signUp().status == 200)
        let tenant = try await emulator.configure(.post, "tenants", ["allowPasswordSignup": true])["tenantId"]
        let body: JSON = [
            "email": "tenant@example.com", "password": .string(TestEmulator.password), "tenantId": .string(tenant),
        ]
        #expect(try await emulator.call("accounts:signUp", body).status == 200)
        // MD5 of "salt" and "correct horse".
        let imported = try await emulator.manage(
            "accounts:batchCreate",
            [
                "users": [
                    [
                        "localId": "old-1", "email": "old@example.com", "passwordHash": .string(Base64.encode(Self.digest)),
                        "salt": .string(Base64.encode("salt".utf8)), "customAttributes": #"{"role":"editor"}"#,
                        "providerUserInfo": [["providerId": "github.com", "rawId": "gh-1"]],
                    ]
                ],
                "hashAlgorithm": "MD5", "rounds": 0, "passwordHashOrder": "SALT_AND_PASSWORD",
            ])
        #expect(imported.status == 200)
        return (emulator, tenant)
    }

    private static let digest: [UInt8] = HashFunction.md5.digest("saltcorrect horse")

    @Test(arguments: FirebaseMode.allCases)
    func usersSurviveAnExportWithTheirPasswords(_ mode: FirebaseMode) async throws {
        let (emulator, tenant) = try await filled(mode)
        let all = try emulator.admin.exportUsers()
        let tenants = try emulator.admin.exportUsers(tenant: tenant)
        #expect(try emulator.admin.tenants() == [tenant])
        #expect(all["users"]?.array?.count == 2 && tenants["users"]?.array?.count == 1)
        let other = try TestEmulator(mode)
        #expect(try await other.admin.importUsers(all).isEmpty)
        #expect(try await other.admin.importUsers(tenants, tenant: tenant).isEmpty)
        let ada = try await other.signIn()
        #expect(try ada.status == 200 && ada["localId"] == emulator.admin.user(email: "ada@example.com")?.id)
        let old = try await other.signIn("old@example.com")
        #expect(old.status == 200 && old["localId"] == "old-1")
        #expect(try other.admin.user(id: "old-1")?.providers == ["github.com", "password"])
        let body: JSON = [
            "email": "tenant@example.com", "password": .string(TestEmulator.password), "tenantId": .string(tenant),
        ]
        let inTenant = try await other.call("accounts:signInWithPassword", body)
        // An import creates a tenant with every method enabled, as in Firebase's emulator.
        #expect(inTenant.status == 200)
        #expect(try await other.signIn("old@example.com", password: "wrong horse").status == 400)
    }

    @Test func filesOfAuthExportAreAccepted() async throws {
        let emulator = try TestEmulator { $0.hashing.signerKey = Base64.encode([UInt8](repeating: 7, count: 64)) }
        #expect(try await emulator.signUp().status == 200)
        let user = try #require(emulator.admin.exportUsers()["users"]?[0]?.object)
        let document: JSON = [
            "users": [
                [
                    "localId": user["localId"] ?? "", "email": "ada@example.com", "passwordHash": user["passwordHash"] ?? "",
                    "salt": user["salt"] ?? "", "lastSignedInAt": "1500000000000", "createdAt": "1400000000000",
                    "providerUserInfo": [],
                ],
                ["localId": "broken", "email": "no address"],
            ]
        ]
        let other = try TestEmulator { $0.hashing.signerKey = Base64.encode([UInt8](repeating: 7, count: 64)) }
        let problems = try await other.admin.importUsers(document)
        #expect(problems.map(\.id) == ["broken"])
        let stored = try await other.manage("accounts:lookup", ["localId": [user["localId"] ?? ""]]).json["users"]?[0]
        #expect(stored?["lastLoginAt"] == "1500000000000" && stored?["createdAt"] == "1400000000000")
        #expect(try await other.signIn().status == 200, "The settings have the key with which it was hashed.")
    }

    @Test func moreThanAThousandUsersAreImported() async throws {
        let emulator = try TestEmulator()
        let users = (0...1000).map { JSON.object(["localId": .string("user-\($0)")]) }
        #expect(try await emulator.admin.importUsers(["users": .array(users)]).isEmpty)
        #expect(try emulator.admin.userCount() == 1001)
    }

    @Test func malformedDocumentsAreRejected() async throws {
        let emulator = try TestEmulator()
        for document: JSON in [7, [:], ["users": 7], ["users": [7]], ["users": [["localId": "a"], ["localId": "a"]]]] {
            await #expect(throws: FirebaseAdministratorError.self) { () async throws in
                _ = try await emulator.admin.importUsers(document)
            }
        }
        #expect(try emulator.admin.userCount() == 0)
        #expect(throws: FirebaseAdministratorError.self) { try emulator.admin.importConfig(["signIn": 7]) }
    }

    @Test func configurationOfAnExportIsImported() async throws {
        let emulator = try TestEmulator(.emulator)
        let config: JSON = [
            "signIn": ["allowDuplicateEmails": true], "emailPrivacyConfig": ["enableImprovedEmailPrivacy": true],
        ]
        try emulator.admin.importConfig(config)
        #expect(try emulator.admin.exportConfig() == config)
        #expect(try await emulator.signIn().code == "INVALID_LOGIN_CREDENTIALS")
    }

    @Test func secretsOfTimeFactorsAreKept() async throws {
        let emulator = try TestEmulator()
        try emulator.admin.createUser(email: "ada@example.com", password: Secret(TestEmulator.password))
        let token = JSON.string(try await emulator.signIn()["idToken"])
        let start = try await emulator.call2("accounts/mfaEnrollment:start", ["idToken": token, "totpEnrollmentInfo": [:]])
        let info = try #require(start.json["totpSessionInfo"])
        let secret = try #require(info["sharedSecretKey"]?.string)
        let code = try #require(TOTP(secret: secret).code(at: emulator.server.environment.now))
        let done = try await emulator.call2(
            "accounts/mfaEnrollment:finalize",
            [
                "idToken": token,
                "totpVerificationInfo": ["sessionInfo": info["sessionInfo"] ?? "", "verificationCode": .string(code)],
            ])
        #expect(done.status == 200)
        let document = try emulator.admin.exportUsers()
        #expect(document["users"]?[0]?["mfaInfo"] == nil && !document.text().contains(secret))
        let other = try TestEmulator()
        #expect(try await other.admin.importUsers(document).isEmpty)
    }
}
