import LockstepCrypto
import LockstepEmulation
import LockstepFirebaseEmulator
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import LockstepTokens
import Testing

/// Second factors with production's rules.
@Suite(.limitedConcurrency)
struct FactorTests {
    /// A code of six digits for a secret in base 32 (RFC 6238).
    private func code(_ secret: String, at now: Instant) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
        let bits = secret.flatMap { character -> [Int] in
            let digit = alphabet.firstIndex(of: character) ?? 0
            return (0..<5).map { digit >> (4 - $0) & 1 }
        }
        let key = stride(from: 0, to: bits.count - 7, by: 8).map { start in
            bits[start..<start + 8].reduce(UInt8(0)) { $0 << 1 | UInt8($1) }
        }
        let counter = now.seconds / 30
        let mac = HashFunction.sha1.authenticate((0..<8).map { UInt8(truncatingIfNeeded: counter >> (56 - 8 * $0)) }, key: key)
        let offset = Int(mac[19] & 15)
        let number = mac[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } & 0x7fff_ffff
        let text = String(number % 1_000_000)
        return String(repeating: "0", count: 6 - text.count) + text
    }

    private func verified(_ emulator: TestEmulator) async throws -> String {
        try emulator.admin.createUser(email: "ada@example.com", password: Secret(TestEmulator.password))
        return try await emulator.signIn()["idToken"]
    }

    @Test func timeCodesEnrollAndSignIn() async throws {
        let emulator = try TestEmulator()
        let token = JSON.string(try await verified(emulator))
        let start = try await emulator.call2(
            "accounts/mfaEnrollment:start", ["idToken": token, "totpEnrollmentInfo": [:]])
        let info = try #require(start.json["totpSessionInfo"])
        let secret = try #require(info["sharedSecretKey"]?.string)
        let session = try #require(info["sessionInfo"])
        func enrol(_ code: String) async throws -> TestEmulator.TestResponse {
            try await emulator.call2(
                "accounts/mfaEnrollment:finalize",
                [
                    "idToken": token, "displayName": "app",
                    "totpVerificationInfo": ["sessionInfo": session, "verificationCode": .string(code)],
                ])
        }
        #expect(try await enrol("000000").code == "INVALID_CODE")
        let enrolled = try await enrol(code(secret, at: emulator.server.environment.now))
        #expect(try UnverifiedToken(enrolled["idToken"]).claims["firebase"]?["sign_in_second_factor"] == "totp")

        let pending = try await emulator.signIn()
        #expect(pending.json["idToken"] == nil)
        let factor = try #require(pending.json["mfaInfo"]?[0]?["mfaEnrollmentId"])
        #expect(pending.json["mfaInfo"]?[0]?["totpInfo"] == [:])
        let body: JSON = [
            "mfaPendingCredential": .string(pending["mfaPendingCredential"]), "mfaEnrollmentId": factor,
            "totpVerificationInfo": ["verificationCode": .string(code(secret, at: emulator.server.environment.now))],
        ]
        let done = try await emulator.call2("accounts/mfaSignIn:finalize", body)
        #expect(try await emulator.lookup(done["idToken"]).status == 200)
        #expect(try await emulator.call2("accounts/mfaSignIn:finalize", body).code == "INVALID_MFA_PENDING_CREDENTIAL")
    }

    /// A new list replaces the old one.
    ///
    /// It keeps the factors that it names, also values that no request can contain.
    @Test func administratorsFactorListKeepsNamedApps() async throws {
        let emulator = try TestEmulator()
        let token = JSON.string(try await verified(emulator))
        let start = try await emulator.call2("accounts/mfaEnrollment:start", ["idToken": token, "totpEnrollmentInfo": [:]])
        let info = try #require(start.json["totpSessionInfo"])
        let secret = try #require(info["sharedSecretKey"]?.string)
        func proof() -> JSON { .string(code(secret, at: emulator.server.environment.now)) }
        let given: JSON = ["sessionInfo": info["sessionInfo"] ?? nil, "verificationCode": proof()]
        _ = try await emulator.call2("accounts/mfaEnrollment:finalize", ["idToken": token, "totpVerificationInfo": given])
        let user = try #require(try await emulator.lookup(token.string ?? "").json["users"]?[0])
        let app = try #require(user["mfaInfo"]?[0]?["mfaEnrollmentId"])
        func write(_ enrolments: JSON) async throws -> TestEmulator.TestResponse {
            try await emulator.manage(
                "accounts:update", ["localId": user["localId"] ?? nil, "mfa": ["enrollments": enrolments]])
        }
        let number: JSON = ["mfaEnrollmentId": "phone", "phoneInfo": "+15555550100"]
        let named: JSON = ["mfaEnrollmentId": app, "totpInfo": [:], "displayName": "Laptop"]
        #expect(try await write([number, ["mfaEnrollmentId": "unknown", "totpInfo": [:]]]).code == "INVALID_MFA_PHONE_NUMBER")
        #expect(try await write([named, named]).code == "DUPLICATE_MFA_ENROLLMENT_ID")
        #expect(try await write([number, named]).status == 200)

        let pending = try await emulator.signIn()
        #expect(pending.json["mfaInfo"]?.array?.count == 2)
        #expect(pending.json["mfaInfo"]?[1]?["displayName"] == "Laptop")
        let body: JSON = [
            "mfaPendingCredential": .string(pending["mfaPendingCredential"]), "mfaEnrollmentId": app,
            "totpVerificationInfo": ["verificationCode": proof()],
        ]
        #expect(try await emulator.call2("accounts/mfaSignIn:finalize", body).status == 200)
        #expect(try await write([number]).status == 200)
        #expect(try await emulator.signIn().json["mfaInfo"]?.array?.count == 1)
    }

    /// A project setting: the allowed difference of a device's clock, at the first code and at every sign-in.
    @Test(arguments: [0, 2, 5], FirebaseMode.allCases)
    func projectSetsTheToleranceOfTimeCodes(_ intervals: Int64, _ mode: FirebaseMode) async throws {
        let clock = ManualClock(base: FixedClock())
        let emulator = try TestEmulator(mode, clock: clock)
        let byTime: JSON = ["state": "ENABLED", "totpProviderConfig": ["adjacentIntervals": .int(intervals)]]
        let config: JSON = ["mfa": ["state": "ENABLED", "providerConfigs": [byTime]]]
        #expect(try await emulator.configure(.patch, "config", query: ["updateMask": "mfa"], config).status == 200)
        let token = JSON.string(try await verified(emulator))
        let start = try await emulator.call2("accounts/mfaEnrollment:start", ["idToken": token, "totpEnrollmentInfo": [:]])
        let info = try #require(start.json["totpSessionInfo"])
        let secret = try #require(info["sharedSecretKey"]?.string)
        func past(_ steps: Int64) -> JSON { .string(code(secret, at: clock.now - .seconds(30 * steps))) }
        func enrol(_ code: JSON) async throws -> TestEmulator.TestResponse {
            let given: JSON = ["sessionInfo": info["sessionInfo"] ?? nil, "verificationCode": code]
            return try await emulator.call2("accounts/mfaEnrollment:finalize", ["idToken": token, "totpVerificationInfo": given])
        }
        #expect(try await enrol(past(intervals + 1)).code == "INVALID_CODE")
        #expect(try await enrol(past(intervals)).status == 200)
        let pending = try await emulator.signIn()
        let factor = pending.json["mfaInfo"]?[0]?["mfaEnrollmentId"] ?? nil
        let credential = JSON.string(pending["mfaPendingCredential"])
        func finish(_ code: JSON) async throws -> TestEmulator.TestResponse {
            let body: JSON = [
                "mfaPendingCredential": credential, "mfaEnrollmentId": factor, "totpVerificationInfo": ["verificationCode": code],
            ]
            return try await emulator.call2("accounts/mfaSignIn:finalize", body)
        }
        #expect(try await finish(past(intervals + 1)).code == "INVALID_CODE")
        #expect(try await finish(past(intervals)).status == 200)
    }

    /// A project with text messages only rejects time-based codes by name.
    ///
    /// Firebase's emulator, which has none, ignores them.
    @Test(arguments: ["mfaEnrollment:start", "mfaEnrollment:finalize", "mfaSignIn:finalize"])
    func disabledTimeCodesAreRejected(_ operation: String) async throws {
        let member = operation == "mfaEnrollment:start" ? "totpEnrollmentInfo" : "totpVerificationInfo"
        let body: JSON = .object([member: [:]])
        for (mode, allows, isNamed) in [(FirebaseMode.strict, true, true), (.emulator, true, true), (.emulator, false, false)] {
            let emulator = try TestEmulator(mode) { $0.allowsTimeFactors = allows }
            let config: JSON = ["mfa": ["state": "ENABLED", "enabledProviders": ["PHONE_SMS"]]]
            #expect(try await emulator.configure(.patch, "config", query: ["updateMask": "mfa"], config).status == 200)
            let refused = try await emulator.call2("accounts/" + operation, body)
            #expect((refused.code == "OPERATION_NOT_ALLOWED") == isNamed, "\(mode) \(refused.code ?? "")")
        }
    }

    /// As in versions of Firebase's emulator after 15.30, whose exports contain time-based factors.
    ///
    /// Production shows no secret to anyone.
    @Test func timeFactorsAreListedAndImportedAsASeed() async throws {
        let users = "/identitytoolkit.googleapis.com/v1/projects/demo-lockstep/accounts:batchGet"
        func entry(_ mode: FirebaseMode) async throws -> (emulator: TestEmulator, secret: String, user: JSON) {
            let emulator = try TestEmulator(mode) { $0.allowsTimeFactors = true }
            let token = JSON.string(try await verified(emulator))
            let start = try await emulator.call2("accounts/mfaEnrollment:start", ["idToken": token, "totpEnrollmentInfo": [:]])
            let info = try #require(start.json["totpSessionInfo"])
            let secret = try #require(info["sharedSecretKey"]?.string)
            let now = emulator.server.environment.now
            let given: JSON = ["sessionInfo": info["sessionInfo"] ?? nil, "verificationCode": .string(code(secret, at: now))]
            let body: JSON = ["idToken": token, "totpVerificationInfo": given]
            #expect(try await emulator.call2("accounts/mfaEnrollment:finalize", body).status == 200)
            #expect(try await !emulator.lookup(token.string ?? "").json.text().contains(secret))
            return (emulator, secret, try #require(try await emulator.configure(.get, users).json["users"]?[0]))
        }
        #expect(try await entry(.strict).user["mfaInfo"]?[0]?["emulatorTotpSecret"] == nil)
        let (emulator, secret, user) = try await entry(.emulator)
        #expect(user["mfaInfo"]?[0]?["emulatorTotpSecret"]?.string == secret)
        try emulator.admin.deleteUser(user["localId"]?.string ?? "")
        #expect(try await emulator.manage("accounts:batchCreate", ["users": [user]]).json["error"]?.array == [])
        let pending = try await emulator.signIn()
        let proof: JSON = ["verificationCode": .string(code(secret, at: emulator.server.environment.now))]
        let done = try await emulator.call2(
            "accounts/mfaSignIn:finalize",
            [
                "mfaPendingCredential": .string(pending["mfaPendingCredential"]),
                "mfaEnrollmentId": user["mfaInfo"]?[0]?["mfaEnrollmentId"] ?? nil, "totpVerificationInfo": proof,
            ])
        #expect(try await emulator.lookup(done["idToken"]).status == 200)
        for unreadable in [["totpInfo": [:]], ["totpInfo": [:], "emulatorTotpSecret": "no base 32"]] as [JSON] {
            let other: JSON = ["localId": "other", "email": "o@example.com", "emailVerified": true, "mfaInfo": [unreadable]]
            #expect(try await emulator.manage("accounts:batchCreate", ["users": [other]]).json["error"]?[0]?["index"] == 0)
        }
    }

    @Test func codesAreSentBySMSAndExpire() async throws {
        let emulator = try TestEmulator()
        let token = JSON.string(try await verified(emulator))
        let start = try await emulator.call2(
            "accounts/mfaEnrollment:start", ["idToken": token, "phoneEnrollmentInfo": ["phoneNumber": "+15555550100"]])
        let session = try #require(start.json["phoneSessionInfo"]?["sessionInfo"])
        let code = try #require(emulator.server.panel.outbox.shortMessages.first?.code)
        emulator.pass(601)
        let fresh = JSON.string(try await emulator.signIn()["idToken"])
        let late = try await emulator.call2(
            "accounts/mfaEnrollment:finalize",
            ["idToken": fresh, "phoneVerificationInfo": ["sessionInfo": session, "code": .string(code)]])
        #expect(late.code == "SESSION_EXPIRED")
    }

    /// As in Firebase's emulator, which deletes the code before it checks the number.
    @Test func codeOfAnExistingFactorIsUsedUp() async throws {
        let emulator = try TestEmulator(.emulator)
        let token = try await verified(emulator)
        func start() async throws -> JSON {
            let body: JSON = ["idToken": .string(token), "phoneEnrollmentInfo": ["phoneNumber": "+15555550100"]]
            let session = try #require(
                try await emulator.call2("accounts/mfaEnrollment:start", body).json["phoneSessionInfo"]?["sessionInfo"])
            let code = try #require(emulator.server.panel.outbox.shortMessages.first?.code)
            return ["sessionInfo": session, "code": .string(code)]
        }
        func finish(_ proof: JSON) async throws -> TestEmulator.TestResponse {
            try await emulator.call2(
                "accounts/mfaEnrollment:finalize", ["idToken": .string(token), "phoneVerificationInfo": proof])
        }
        let proofs = [try await start(), try await start()]
        #expect(try await finish(proofs[0]).status == 200)
        #expect(try await finish(proofs[1]).code == "SECOND_FACTOR_EXISTS")
        #expect(try await finish(proofs[1]).code == "INVALID_SESSION_INFO")
    }

    @Test func enrollmentNeedsAVerifiedAddress() async throws {
        let emulator = try TestEmulator()
        let token = JSON.string(try await emulator.signUp()["idToken"])
        let start = try await emulator.call2(
            "accounts/mfaEnrollment:start", ["idToken": token, "phoneEnrollmentInfo": ["phoneNumber": "+15555550100"]])
        #expect(start.code == "UNVERIFIED_EMAIL")
    }

    /// The check depends on whether second factors are enabled, not on the kinds that can be enrolled.
    @Test(arguments: FirebaseMode.allCases, ["mfa", "mfaConfig"])
    func enrolledFactorIsRequiredIfFactorsAreEnabled(_ mode: FirebaseMode, _ setting: String) async throws {
        let emulator = try TestEmulator(mode)
        var tenant: JSONObject = [:]
        var owner = "config"
        if setting == "mfaConfig" {
            let made = try await emulator.configure(
                .post, "tenants", ["allowPasswordSignup": true, "enableEmailLinkSignin": true, "mfaConfig": ["state": "ENABLED"]])
            tenant = ["tenantId": .string(made["tenantId"])]
            owner = "tenants/" + made["tenantId"]
        } else {
            _ = try await emulator.configure(.patch, owner, query: ["updateMask": "mfa"], ["mfa": ["state": "ENABLED"]])
        }
        func call(_ operation: String, _ body: JSONObject) async throws -> TestEmulator.TestResponse {
            var body = body
            for (name, value) in tenant { body[name] = value }
            return try await emulator.call(operation, .object(body))
        }
        func signIn() async throws -> [TestEmulator.TestResponse] {
            var request: JSONObject = [
                "requestType": "EMAIL_SIGNIN", "email": "ada@example.com", "returnOobLink": true,
                "continueUrl": "http://localhost/",
            ]
            for (name, value) in tenant { request[name] = value }
            let code = try await emulator.manage("accounts:sendOobCode", .object(request)).json["oobCode"] ?? .null
            let password = JSON.string(TestEmulator.password)
            return [
                try await call("accounts:signInWithPassword", ["email": "ada@example.com", "password": password]),
                try await call("accounts:signInWithEmailLink", ["email": "ada@example.com", "oobCode": code]),
            ]
        }
        let factors: JSON = [["phoneInfo": "+15555550100"]]
        let user = try await call(
            "accounts:signUp",
            ["email": "ada@example.com", "password": .string(TestEmulator.password), "mfaInfo": factors])
        #expect(user.status == 200)
        for pending in try await signIn() {
            #expect(pending.status == 200 && pending.json["idToken"] == nil)
            #expect(pending["mfaPendingCredential"].count > 20 && pending.json["mfaInfo"]?.array?.count == 1)
        }
        let off: JSON = .object([setting: ["state": "DISABLED"]])
        _ = try await emulator.configure(.patch, owner, query: ["updateMask": "\(setting).state"], off)
        for done in try await signIn() { #expect(done.json["mfaPendingCredential"] == nil && !done["idToken"].isEmpty) }
    }

    @Test func administratorsSeeFactorsInLists() async throws {
        let emulator = try TestEmulator(.emulator)
        let user = try await emulator.call(
            "accounts:signUp",
            ["email": "ada@example.com", "password": "correct horse", "mfaInfo": [["phoneInfo": "+15555550100"]]])
        let project = emulator.server.emulator.settings.project
        let list = try await emulator.configure(.get, "\(TestEmulator.toolkit)projects/\(project)/accounts:batchGet")
        let old = try await emulator.configure(
            .post, "/www.googleapis.com/identitytoolkit/v3/relyingparty/downloadAccount", ["targetProjectId": .string(project)])
        for response in [list, old] {
            let factor = try #require(response.json["users"]?[0]?["mfaInfo"]?[0])
            #expect(factor["phoneInfo"] == "+15555550100" && factor["unobfuscatedPhoneInfo"] == "+15555550100")
            #expect(response.json["users"]?[0]?["localId"]?.string == user["localId"])
        }
    }
}
