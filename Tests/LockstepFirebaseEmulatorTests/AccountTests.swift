import LockstepEmulation
import LockstepFirebaseEmulator
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

/// Sign-up and sign-in.
@Suite(.limitedConcurrency)
struct AccountTests {
    @Test func enumerationProtectionHidesAccounts() async throws {
        let emulator = try TestEmulator()
        _ = try await emulator.signUp()
        #expect(try await emulator.signIn("nobody@example.com").code == "INVALID_LOGIN_CREDENTIALS")
        #expect(try await emulator.signIn(password: "wrong one").code == "INVALID_LOGIN_CREDENTIALS")
        let methods = try await emulator.call(
            "accounts:createAuthUri", ["identifier": "ada@example.com", "continueUri": "http://localhost"])
        #expect(methods.json["registered"] == nil)
        let reset = try await emulator.call(
            "accounts:sendOobCode", ["requestType": "PASSWORD_RESET", "email": "nobody@example.com"])
        #expect(reset.status == 200)
        #expect(emulator.link(to: "nobody@example.com") == nil)
    }

    @Test func withoutProtectionErrorsNameTheReason() async throws {
        let emulator = try TestEmulator { $0.protectsEmails = false }
        _ = try await emulator.signUp()
        #expect(try await emulator.signIn("nobody@example.com").code == "EMAIL_NOT_FOUND")
        #expect(try await emulator.signIn(password: "wrong one").code == "INVALID_PASSWORD")
    }

    @Test func protectionRejectsAnUnverifiedAddressChange() async throws {
        let emulator = try TestEmulator()
        let token = JSON.string(try await emulator.signUp()["idToken"])
        let change = try await emulator.call("accounts:update", ["idToken": token, "email": "new@example.com"])
        #expect(change.code == "OPERATION_NOT_ALLOWED")
    }

    @Test func disabledMethodsAreRejected() async throws {
        let emulator = try TestEmulator { $0.methods = [] }
        #expect(try await emulator.signUp().code == "OPERATION_NOT_ALLOWED")
        #expect(try await emulator.signIn().code == "PASSWORD_LOGIN_DISABLED")
        #expect(try await emulator.call("accounts:signUp").code == "ADMIN_ONLY_OPERATION")
        let link: JSON = ["requestType": "EMAIL_SIGNIN", "email": "ada@example.com", "continueUrl": "http://localhost/"]
        #expect(try await emulator.call("accounts:sendOobCode", link).code == "OPERATION_NOT_ALLOWED")
        #expect(
            try await emulator.call("accounts:sendVerificationCode", ["phoneNumber": "+15555550100"]).code
                == "OPERATION_NOT_ALLOWED")
        try emulator.admin.change { $0.methods = .all }
        #expect(try await emulator.signUp().status == 200)
    }

    @Test func usersDoNotSeeTheirHashes() async throws {
        let emulator = try TestEmulator()
        let session = try await emulator.signUp()
        let user = try await emulator.lookup(session["idToken"]).json["users"]?[0]
        #expect(user?["passwordHash"] == "UkVEQUNURUQ=")
        #expect(user?["salt"] == nil)
        let whole = try await emulator.manage("accounts:lookup", ["localId": [.string(session["localId"])]]).json["users"]?[0]
        #expect(Base64.decode(whole?["passwordHash"]?.string ?? "", .url)?.count == 64)
        #expect(whole?["salt"] != nil)
    }

    @Test func upgradedGuestKeepsIDAndName() async throws {
        let emulator = try TestEmulator()
        let guest = try await emulator.call("accounts:signUp")
        _ = try await emulator.call("accounts:update", ["idToken": .string(guest["idToken"]), "displayName": "Ada"])
        let member = try await emulator.call(
            "accounts:signUp",
            ["idToken": .string(guest["idToken"]), "email": "ada@example.com", "password": .string(TestEmulator.password)])
        #expect(member["localId"] == guest["localId"])
        #expect(try emulator.admin.user(email: "ADA@example.com")?.displayName == "Ada")
    }

    @Test func oneOfConcurrentSignUpsSucceeds() async throws {
        let emulator = try TestEmulator()
        let codes = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<100 { group.addTask { try await emulator.signUp().code ?? "ok" } }
            return try await group.reduce(into: [String: Int]()) { $0[$1, default: 0] += 1 }
        }
        #expect(codes == ["ok": 1, "EMAIL_EXISTS": 99])
    }

    @Test func wrongPasswordsLockAnAccountForAWhile() async throws {
        let emulator = try TestEmulator { $0.limits.failedSignIns = 3 }
        _ = try await emulator.signUp()
        for _ in 0..<3 { #expect(try await emulator.signIn(password: "wrong one").code == "INVALID_LOGIN_CREDENTIALS") }
        #expect(try await emulator.signIn().code == "TOO_MANY_ATTEMPTS_TRY_LATER")
        emulator.pass(901)
        #expect(try await emulator.signIn().status == 200)
    }

    @Test func passwordPolicyIsReportedAndEnforced() async throws {
        let emulator = try TestEmulator {
            $0.passwordPolicy.isEnforced = true
            $0.passwordPolicy.minimumLength = 10
            $0.passwordPolicy.needsDigit = true
        }
        let policy = try await emulator.get("/identitytoolkit.googleapis.com/v2/passwordPolicy?key=any")
        #expect(policy.json["customStrengthOptions"]?["minPasswordLength"] == 10)
        #expect(policy.json["enforcementState"] == "ENFORCE")
        #expect(try await emulator.signUp(password: "short 1").code == "PASSWORD_DOES_NOT_MEET_REQUIREMENTS")
        #expect(try await emulator.signUp(password: "long enough 1").status == 200)
    }

    @Test func newAccountsHaveAQuota() async throws {
        let emulator = try TestEmulator { $0.limits.signUpsPerHour = 2 }
        #expect(try await emulator.signUp("a@example.com").status == 200)
        #expect(try await emulator.signUp("b@example.com").status == 200)
        #expect(try await emulator.signUp("c@example.com").code == "QUOTA_EXCEEDED")
        emulator.pass(3601)
        #expect(try await emulator.signUp("c@example.com").status == 200)
    }

    @Test func resetDeletesEverything() async throws {
        let emulator = try TestEmulator()
        let session = try await emulator.signUp()
        try emulator.admin.change { $0.methods = [] }
        try emulator.server.panel.reset()
        #expect(try emulator.admin.userCount() == 0)
        #expect(try await emulator.refresh(session["refreshToken"]).code == "INVALID_REFRESH_TOKEN")
        #expect(try await emulator.signUp().status == 200)
    }

    /// An account that an administrator creates is not signed in.
    ///
    /// In production it has no `lastLoginAt` until its first sign-in. Firebase's emulator sets one.
    @Test(arguments: [FirebaseMode.strict, .emulator])
    func userCreatedByAnAdministratorHasNoLastSignIn(_ mode: FirebaseMode) async throws {
        let emulator = try TestEmulator(mode)
        let body: JSON = ["email": "ada@example.com", "password": .string(TestEmulator.password)]
        let id = try await emulator.manage("accounts", body)["localId"]
        func lastLogin() async throws -> JSON? {
            try await emulator.manage("accounts:lookup", ["localId": [.string(id)]]).json["users"]?[0]?["lastLoginAt"]
        }
        #expect((try await lastLogin() == nil) == (mode == .strict))
        #expect(try await emulator.signIn().status == 200)
        #expect(try await lastLogin() != nil)
        let own = try await emulator.signUp("eve@example.com")["idToken"]
        #expect(try await emulator.lookup(own).json["users"]?[0]?["lastLoginAt"] != nil)
    }
}
