import LockstepClerkEmulator
import LockstepEmulation
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

/// Sign-in: its steps and its errors.
@Suite(.limitedConcurrency)
struct SignInTests {
    @Test func passwordCompletesTheSignIn() async throws {
        let emulator = try TestEmulator()
        try await emulator.device().signUp()
        let device = emulator.device()
        let done = try await device.signIn("ADA@example.com")
        #expect(done["status"] == "complete")
        #expect(done.response["first_factor_verification"]?["object"] == "verification_password")
        #expect(done.response["first_factor_verification"]?["attempts"] == 1)
        #expect(done.response["supported_first_factors"] == .null)
        #expect(done.client["sign_in"] == .null)
        #expect(done.client["last_authentication_strategy"] == "password")
        #expect(done.client["sessions"]?[0]?["factor_verification_age"] == [0, -1])
    }

    @Test func errorsNameTheWrongParameter() async throws {
        let emulator = try TestEmulator()
        try await emulator.device().signUp()
        let device = emulator.device()
        let unknown = try await device.signIn("bob@example.com")
        #expect(unknown.status == 422 && unknown.code == "form_identifier_not_found" && unknown.parameter == "identifier")
        let wrong = try await device.signIn(password: "wrong password")
        #expect(wrong.status == 422 && wrong.code == "form_password_incorrect" && wrong.parameter == "password")
        #expect(try await device.get("/client").response["sign_in"] ?? .null == .null)
        #expect(try await device.signIn("not an address@").code == "form_param_format_invalid")
        #expect(
            try await device.post("/client/sign_ins", ["identifier": "ada@example.com", "password": ""]).code == "form_param_nil")
        let strange = try await device.post("/client/sign_ins", ["identifier": "ada@example.com", "strategy": "smoke_signal"])
        #expect(strange.code == "form_param_value_invalid" && strange.parameter == "strategy")
        emulator.admin.change { $0.signsInByPassword = false }
        #expect(try await device.signIn().code == "form_param_value_disabled")
    }

    @Test func hiddenAccountsGetEqualResponses() async throws {
        let emulator = try TestEmulator { $0.hidesAccounts = true }
        try await emulator.device().signUp()
        let device = emulator.device()
        #expect(try await device.signIn("bob@example.com").code == "form_password_or_identifier_incorrect")
        #expect(try await device.signIn(password: "wrong password").code == "form_password_or_identifier_incorrect")
        let known = try await device.post("/client/sign_ins", ["identifier": "ada@example.com"])
        let begun = try await device.post("/client/sign_ins", ["identifier": "bob@example.com"])
        #expect(begun["status"] == "needs_first_factor")
        #expect(begun.strategies("supported_first_factors") == known.strategies("supported_first_factors"))
        let sent = try await device.prepare("reset_password_email_code", "bob@example.com")
        #expect(sent.response["first_factor_verification"]?["status"] == "unverified")
        let code = try await device.post(
            "/client/sign_ins/\(sent["id"])/attempt_first_factor", ["strategy": "reset_password_email_code", "code": "424242"])
        #expect(code.code == "form_code_incorrect")
        #expect(emulator.server.panel.outbox.mails(to: "bob@example.com").isEmpty)
    }

    @Test func mailedCodeCompletesTheSignIn() async throws {
        let emulator = try TestEmulator()
        try await emulator.device().signUp()
        let device = emulator.device()
        let sent = try await device.prepare("email_code")
        #expect(sent.strategies("supported_first_factors").contains("reset_password_email_code"))
        let path = "/client/sign_ins/\(sent["id"])/attempt_first_factor"
        let wrong = try await device.post(path, ["strategy": "email_code", "code": "000"])
        #expect(wrong.code == "form_code_incorrect")
        let code = emulator.code(to: "ada@example.com")
        let done = try await device.post(path, ["strategy": "email_code", "code": code])
        #expect(done["status"] == "complete")
        #expect(done.response["first_factor_verification"]?["attempts"] == 2)
        #expect(try await device.post(path, ["strategy": "email_code", "code": code]).code == "verification_already_verified")
    }

    @Test func smsCodeCompletesTheSignIn() async throws {
        let emulator = try TestEmulator()
        let device = emulator.device()
        let begun = try await device.post(
            "/client/sign_ups",
            ["email_address": "a+clerk_test@example.com", "phone_number": "+12015550101", "password": TestEmulator.password])
        #expect(begun.list("unverified_fields") == ["email_address", "phone_number"])
        for strategy in ["email_code", "phone_code"] {
            _ = try await device.post("/client/sign_ups/\(begun["id"])/prepare_verification", ["strategy": strategy])
            _ = try await device.post(
                "/client/sign_ups/\(begun["id"])/attempt_verification", ["strategy": strategy, "code": "424242"])
        }
        let other = emulator.device()
        let sent = try await other.prepare("phone_code", "+12015550101")
        #expect(sent.response["first_factor_verification"]?["channel"] == "sms")
        let done = try await other.post(
            "/client/sign_ins/\(sent["id"])/attempt_first_factor", ["strategy": "phone_code", "code": "424242"])
        #expect(done["status"] == "complete")
    }

    @Test func passwordResetSetsANewPassword() async throws {
        let emulator = try TestEmulator()
        let first = emulator.device()
        try await first.signUp()
        let device = emulator.device()
        let sent = try await device.prepare("reset_password_email_code")
        let path = "/client/sign_ins/\(sent["id"])"
        let early = try await device.post(path + "/reset_password", ["password": "another good one"])
        #expect(early.status == 400 && early.code == "client_state_invalid")
        let proven = try await device.post(
            path + "/attempt_first_factor",
            ["strategy": "reset_password_email_code", "code": emulator.code(to: "ada@example.com")])
        #expect(proven["status"] == "needs_new_password")
        let weak = try await device.post(path + "/reset_password", ["password": "short"])
        #expect(weak.code == "form_password_length_too_short")
        let done = try await device.post(
            path + "/reset_password", ["password": "another good one", "sign_out_of_other_sessions": "true"])
        #expect(done["status"] == "complete")
        #expect(try await emulator.device().signIn().code == "form_password_incorrect")
        #expect(try await emulator.device().signIn(password: "another good one")["status"] == "complete")
        #expect(try await first.sessionToken().status >= 401)
    }

    @Test func newClientNeedsACode() async throws {
        let emulator = try TestEmulator { $0.asksNewClients = true }
        let first = emulator.device()
        try await first.signUp()
        _ = try await first.call(.delete, "/client/sessions")
        #expect(try await first.signIn()["status"] == "complete")
        let device = emulator.device()
        let begun = try await device.signIn()
        #expect(begun["status"] == "needs_client_trust")
        #expect(begun.strategies("supported_second_factors") == ["email_code"])
        let path = "/client/sign_ins/\(begun["id"])"
        _ = try await device.post(path + "/prepare_second_factor", ["strategy": "email_code"])
        let done = try await device.post(
            path + "/attempt_second_factor", ["strategy": "email_code", "code": emulator.code(to: "ada@example.com")])
        #expect(done["status"] == "complete")
        #expect(done.client["sessions"]?[0]?["factor_verification_age"] == [0, 0])
        _ = try await device.call(.delete, "/client/sessions")
        #expect(try await device.signIn()["status"] == "complete")
    }

    @Test func bannedAndDeletedUsersDoNotSignIn() async throws {
        let emulator = try TestEmulator()
        let device = emulator.device()
        let user = try await device.signUp()["created_user_id"]
        try await emulator.admin.setDisabled(true, of: user)
        #expect(try await device.sessionToken().status >= 401)
        let refused = try await emulator.device().signIn()
        #expect(refused.status == 403 && refused.code == "user_banned")
        try await emulator.admin.setDisabled(false, of: user)
        #expect(try await emulator.device().signIn()["status"] == "complete")
        try emulator.admin.deleteUser(user)
        #expect(try await emulator.device().signIn().code == "form_identifier_not_found")
    }

    @Test func failedAttemptsLockTheUser() async throws {
        let emulator = try TestEmulator { $0.lockout = LockoutRule(attempts: 5, duration: .seconds(3600)) }
        try await emulator.device().signUp()
        let device = emulator.device()
        var codes: [[String]] = []
        for _ in 0..<5 { codes.append(try await device.signIn(password: "wrong password").codes) }
        #expect(codes.map(\.count) == [1, 1, 2, 2, 2])
        #expect(codes[4].last == "account_lockout_warning")
        let locked = try await device.signIn()
        #expect(locked.status == 403 && locked.code == "user_locked")
        #expect((locked.json["errors"]?[0]?["meta"]?["lockout_expires_in_seconds"]?.int ?? 0) > 3500)
        emulator.pass(3601)
        #expect(try await device.signIn()["status"] == "complete")
    }

    @Test func clientHasOneSessionPerUser() async throws {
        let emulator = try TestEmulator()
        let device = emulator.device()
        let session = try await device.signUp()["created_session_id"]
        let again = try await device.signIn()
        #expect(again.status == 400 && again.code == "identifier_already_signed_in")
        #expect(again.json["errors"]?[0]?["meta"]?["session_id"]?.string == session)
        try await device.signUp("bob@example.com")
        let client = try await device.get("/client").response
        #expect(client["sessions"]?.array?.count == 2)
        #expect(client["last_active_session_id"]?.string != session)
        emulator.admin.change { $0.isSingleSession = true }
        #expect(try await device.signIn("eve@example.com").code == "session_exists")
    }

    @Test func aNewAttemptReplacesTheOldOne() async throws {
        let emulator = try TestEmulator()
        try await emulator.device().signUp()
        let device = emulator.device()
        let old = try await device.prepare("email_code")
        _ = try await device.prepare("email_code")
        let late = try await device.post(
            "/client/sign_ins/\(old["id"])/attempt_first_factor", ["strategy": "email_code", "code": "1"])
        #expect(late.status == 403 && late.code == "resource_forbidden")
        #expect(try await device.post("/client/sign_ins/sia_nothing/prepare_first_factor").status == 404)
    }

    @Test func leakedPasswordMustBeReplaced() async throws {
        let emulator = try TestEmulator()
        let user = try await emulator.device().signUp()["created_user_id"]
        try emulator.admin.requireNewPassword(user)
        let device = emulator.device()
        #expect(try await device.signIn().code == "form_password_compromised")
        let sent = try await device.prepare("email_code")
        let done = try await device.post(
            "/client/sign_ins/\(sent["id"])/attempt_first_factor",
            ["strategy": "email_code", "code": emulator.code(to: "ada@example.com")])
        #expect(done.client["sessions"]?[0]?["status"] == "pending")
        #expect(done.client["sessions"]?[0]?["tasks"] == [["key": "reset-password"]])
        _ = try await device.post("/me/change_password", ["new_password": "another good one"])
        #expect(try await device.get("/client").response["sessions"]?[0]?["status"] == "active")
    }

    @Test func aTicketWorksOnce() async throws {
        let emulator = try TestEmulator()
        let user = try await emulator.admin.createUser(email: "ada@example.com", password: "correct horse battery")
        let ticket = try emulator.admin.signInTicket(for: user.id).reveal()
        let device = emulator.device()
        let form = [(name: "strategy", value: "ticket"), (name: "ticket", value: ticket)]
        #expect(try await emulator.device().post("/client/sign_ups", .init(form)).code == "sign_in_token_not_in_sign_in_code")
        #expect(try await device.post("/client/sign_ins", .init(form))["status"] == "complete")
        #expect(try await emulator.device().post("/client/sign_ins", .init(form)).code == "sign_in_token_already_used_code")
        #expect(
            try await emulator.device().post("/client/sign_ins", ["strategy": "ticket", "ticket": "x"]).code
                == "ticket_invalid_code"
        )
        let late = try emulator.admin.signInTicket(for: user.id, lifetime: .seconds(60)).reveal()
        emulator.pass(61)
        #expect(
            try await emulator.device().post("/client/sign_ins", ["strategy": "ticket", "ticket": late]).code
                == "ticket_expired_code")
    }
}
