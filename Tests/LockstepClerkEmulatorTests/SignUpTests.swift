import LockstepClerkEmulator
import LockstepEmulation
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

/// Sign-up: requirements, codes, completion.
@Suite(.limitedConcurrency)
struct SignUpTests {
    @Test func mailedCodeCompletesTheSignUp() async throws {
        let emulator = try TestEmulator()
        let device = emulator.device()
        let begun = try await device.post(
            "/client/sign_ups", ["email_address": "Ada@Example.com", "password": TestEmulator.password, "first_name": "Ada"])
        #expect(begun.status == 200)
        #expect(begun["status"] == "missing_requirements")
        #expect(begun.list("unverified_fields") == ["email_address"])
        #expect(begun.response["verifications"]?["email_address"] == .null)
        #expect(begun.client["sign_up"]?["id"]?.string == begun["id"])
        #expect(!device.token.isEmpty)
        let path = "/client/sign_ups/\(begun["id"])"
        let missing = try await device.post(path + "/attempt_verification", ["strategy": "email_code", "code": "123456"])
        #expect(missing.status == 400 && missing.code == "verification_missing")
        let sent = try await device.post(path + "/prepare_verification", ["strategy": "email_code"])
        #expect(sent.response["verifications"]?["email_address"]?["next_action"] == "needs_attempt")
        let code = emulator.code(to: "ada@example.com")
        #expect(code.count == 6)
        let wrong = try await device.post(path + "/attempt_verification", ["strategy": "email_code", "code": "x\(code)"])
        #expect(wrong.status == 422 && wrong.code == "form_code_incorrect" && wrong.parameter == "code")
        #expect(try await device.get(path).response["verifications"]?["email_address"]?["attempts"] == 1)
        let before = device.token
        let done = try await device.post(path + "/attempt_verification", ["strategy": "email_code", "code": code])
        #expect(done["status"] == "complete")
        #expect(done.client["sign_up"] == .null)
        #expect(done.client["last_active_session_id"]?.string == done["created_session_id"])
        #expect(done.client["sessions"]?[0]?["user"]?["id"]?.string == done["created_user_id"])
        #expect(device.token != before)
        let again = try await device.post(path + "/attempt_verification", ["strategy": "email_code", "code": code])
        #expect(again.status == 400 && again.code == "verification_already_verified")
        let user = try emulator.admin.user(withAddress: "ADA@example.com")
        #expect(user?.isEmailVerified == true && user?.firstName == "Ada")
    }

    @Test func signUpCanRequireACaptcha() async throws {
        let emulator = try TestEmulator { $0.asksForCaptcha = true }
        let device = emulator.device()
        func signUp(_ captcha: String? = nil) async throws -> TestResponse {
            var form: HTTPForm = ["email_address": "ada@example.com", "password": TestEmulator.password]
            form.append("captcha_token", captcha)
            return try await device.post("/client/sign_ups", form)
        }
        let missing = try await signUp()
        #expect(missing.status == 400 && missing.code == "captcha_missing_token")
        let wrong = try await signUp("another")
        #expect(wrong.status == 400 && wrong.code == "captcha_invalid")
        #expect(try await signUp("XXXX.DUMMY.TOKEN.XXXX")["status"] == "missing_requirements")
        let environment = try await device.get("/environment")
        #expect(environment.json["user_settings"]?["sign_up"]?["captcha_enabled"] == true)
    }

    @Test func signUpWithAStrategySendsTheCode() async throws {
        let emulator = try TestEmulator()
        let device = emulator.device()
        let begun = try await device.post(
            "/client/sign_ups",
            ["email_address": "a+clerk_test@example.com", "password": TestEmulator.password, "strategy": "email_code"])
        #expect(begun.response["verifications"]?["email_address"]?["next_action"] == "needs_attempt")
        #expect(emulator.server.panel.outbox.mails.isEmpty)
        let done = try await device.post(
            "/client/sign_ups/\(begun["id"])/attempt_verification", ["strategy": "email_code", "code": "424242"])
        #expect(done["status"] == "complete")
    }

    @Test func signUpAcceptsFieldsOneByOne() async throws {
        let emulator = try TestEmulator { $0.requiresLegalConsent = true }
        let device = emulator.device()
        let begun = try await device.post("/client/sign_ups")
        #expect(begun.list("missing_fields") == ["email_address", "legal_accepted", "password"])
        let path = "/client/sign_ups/\(begun["id"])"
        _ = try await device.call(.patch, path, ["email_address": "typo@example.com", "strategy": "email_code"])
        let old = emulator.code(to: "typo@example.com")
        let mended = try await device.call(.patch, path, ["email_address": "ada@example.com", "strategy": "email_code"])
        #expect(mended["email_address"] == "ada@example.com")
        let stale = try await device.post(path + "/attempt_verification", ["strategy": "email_code", "code": "\(old)0"])
        #expect(stale.code == "form_code_incorrect")
        _ = try await device.post(
            path + "/attempt_verification", ["strategy": "email_code", "code": emulator.code(to: "ada@example.com")])
        let almost = try await device.call(.patch, path, ["password": TestEmulator.password])
        #expect(almost["status"] == "missing_requirements" && almost.list("missing_fields") == ["legal_accepted"])
        let done = try await device.call(.patch, path, ["legal_accepted": "true"])
        #expect(done["status"] == "complete")
        #expect(try emulator.admin.users().map(\.email) == ["ada@example.com"])
    }

    @Test func signUpWithoutVerificationCompletesImmediately() async throws {
        let emulator = try TestEmulator { $0.verifiesEmailAtSignUp = false }
        let done = try await emulator.device().post(
            "/client/sign_ups", ["email_address": "ada@example.com", "password": TestEmulator.password])
        #expect(done["status"] == "complete")
        #expect(try await emulator.device().signIn()["status"] == "complete")
        #expect(emulator.server.panel.outbox.mails.isEmpty)
    }

    @Test func errorsNameTheWrongParameter() async throws {
        let emulator = try TestEmulator {
            $0.passwordPolicy.requiresDigit = true
            $0.passwordPolicy.requiresUpperCase = true
            $0.phoneNumber = .off
        }
        try await emulator.device().signUp(password: "Correct horse 1")
        let device = emulator.device()
        func refused(_ form: [(String, String)]) async throws -> TestResponse {
            try await device.post("/client/sign_ups", .init(form.map { (name: $0.0, value: $0.1) }))
        }
        #expect(try await refused([("email_address", "ADA@example.com")]).code == "form_identifier_exists")
        #expect(try await refused([("email_address", "no address")]).code == "form_param_format_invalid")
        #expect(try await refused([("email_address", "a@x.com,b@y.com")]).parameter == "email_address")
        #expect(try await refused([("phone_number", "+12015550100")]).code == "form_param_unknown")
        #expect(try await refused([("colour", "blue")]).parameter == "colour")
        let weak = try await refused([("email_address", "bob@example.com"), ("password", "short")])
        #expect(weak.status == 422)
        #expect(weak.codes == ["form_password_length_too_short", "form_password_no_uppercase", "form_password_no_number"])
        #expect(try await refused([("password", String(repeating: "aA1", count: 25))]).code == "form_password_length_too_long")
        #expect(try await refused([("password", "Password123")]).code == "form_password_pwned")
        #expect(try emulator.admin.userCount() == 1)
    }

    @Test func codesExpireAndAreLimited() async throws {
        let emulator = try TestEmulator { $0.resendInterval = .seconds(30) }
        let device = emulator.device()
        let begun = try await device.post(
            "/client/sign_ups", ["email_address": "ada@example.com", "password": TestEmulator.password])
        let path = "/client/sign_ups/\(begun["id"])"
        func prepare() async throws -> TestResponse {
            try await device.post(path + "/prepare_verification", ["strategy": "email_code"])
        }
        func attempt(_ code: String) async throws -> TestResponse {
            try await device.post(path + "/attempt_verification", ["strategy": "email_code", "code": code])
        }
        _ = try await prepare()
        let early = try await prepare()
        #expect(early.status == 429 && early.code == "verification_code_too_many_requests")
        #expect((Int(early.headers["Retry-After"] ?? "") ?? 0) > 20)
        emulator.pass(601)
        #expect(try await attempt(emulator.code(to: "ada@example.com")).code == "verification_expired")
        _ = try await prepare()
        for _ in 0..<3 { #expect(try await attempt("no").code == "form_code_incorrect") }
        #expect(try await attempt(emulator.code(to: "ada@example.com")).code == "verification_failed")
        _ = try await prepare()
        #expect(try await attempt(emulator.code(to: "ada@example.com"))["status"] == "complete")
    }

    @Test func oneOfConcurrentSignUpsSucceeds() async throws {
        let emulator = try TestEmulator()
        let codes = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<100 {
                group.addTask {
                    let device = emulator.device()
                    let begun = try await device.post(
                        "/client/sign_ups",
                        [
                            "email_address": "a+clerk_test@example.com", "password": TestEmulator.password,
                            "strategy": "email_code",
                        ])
                    guard begun.status == 200 else { return begun.code ?? "" }
                    return try await device.post(
                        "/client/sign_ups/\(begun["id"])/attempt_verification", ["strategy": "email_code", "code": "424242"]
                    ).code ?? "ok"
                }
            }
            return try await group.reduce(into: [String: Int]()) { $0[$1, default: 0] += 1 }
        }
        #expect(codes == ["ok": 1, "form_identifier_exists": 99])
        #expect(try emulator.admin.userCount() == 1)
    }

    @Test func attemptsBelongToTheirClientAndExpire() async throws {
        let emulator = try TestEmulator()
        let device = emulator.device()
        let begun = try await device.post("/client/sign_ups", ["email_address": "ada@example.com"])
        #expect(try await emulator.device().get("/client/sign_ups/\(begun["id"])").code == "resource_not_found")
        emulator.pass(24 * 3600 + 1)
        #expect(try await device.get("/client").response["sign_up"] == .null)
        #expect(
            try await device.call(.patch, "/client/sign_ups/\(begun["id"])", ["password": TestEmulator.password]).status == 404)
    }

    @Test func restrictedInstanceRequiresAnInvitation() async throws {
        let emulator = try TestEmulator { $0.signUpMode = .restricted }
        let refused = try await emulator.device().post("/client/sign_ups", ["email_address": "ada@example.com"])
        #expect(refused.status == 403 && refused.code == "sign_up_mode_restricted")
        let invitation = try await emulator.backend(
            .post, "/invitations", ["email_address": "ada@example.com", "public_metadata": ["plan": "gold"]])
        let ticket = emulator.link(to: "ada@example.com").split(separator: "ticket=").last.map(String.init) ?? ""
        #expect(invitation.json["status"] == "pending")
        let done = try await emulator.device().post("/client/sign_ups", ["ticket": ticket, "password": TestEmulator.password])
        #expect(done["status"] == "complete")
        #expect(done.client["sessions"]?[0]?["user"]?["public_metadata"]?["plan"] == "gold")
        #expect(try await emulator.device().post("/client/sign_ups", ["ticket": ticket]).code == "invitation_already_accepted")
    }

    @Test func failedMessageKeepsTheSignUp() async throws {
        let emulator = try TestEmulator()
        let device = emulator.device()
        let begun = try await device.post(
            "/client/sign_ups", ["email_address": "ada@example.com", "password": TestEmulator.password])
        let path = "/client/sign_ups/\(begun["id"])/prepare_verification"
        emulator.server.panel.outbox.failNext()
        #expect(try await device.post(path, ["strategy": "email_code"]).code == "dev_monthly_email_limit_exceeded")
        #expect(try await device.post(path, ["strategy": "email_code"]).status == 200)
        #expect(emulator.server.panel.outbox.mails.count == 1)
    }
}
