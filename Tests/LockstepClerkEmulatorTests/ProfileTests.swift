import LockstepClerkEmulator
import LockstepEmulation
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

/// Changes that users make to their own account.
@Suite(.limitedConcurrency)
struct ProfileTests {
    @Test func namesAndMetadataChange() async throws {
        let emulator = try TestEmulator()
        let device = emulator.device()
        try await device.signUp()
        #expect(try await device.call(.patch, "/me", ["first_name": "Ada", "username": "lovelace"])["first_name"] == "Ada")
        #expect(try await device.call(.patch, "/me", ["first_name": ""]).response["first_name"] == .null)
        #expect(try await device.call(.patch, "/me", ["username": "x"]).code == "form_username_invalid_length")
        #expect(try await device.call(.patch, "/me", ["unsafe_metadata": "{}"]).code == "form_param_unknown")
        _ = try await device.call(.patch, "/me/metadata", ["unsafe_metadata": #"{"a":{"b":1,"c":2},"d":3}"#])
        let merged = try await device.call(.patch, "/me/metadata", ["unsafe_metadata": #"{"a":{"b":null},"e":[4]}"#])
        #expect(merged.response["unsafe_metadata"] == ["a": ["c": 2], "d": 3, "e": [4]])
        #expect(try await device.call(.patch, "/me/metadata", ["unsafe_metadata": "[]"]).code == "form_param_type_invalid")
        #expect(try await emulator.device().signIn("LoveLace")["status"] == "complete")
    }

    @Test func addressIsUsedOnlyAfterVerification() async throws {
        let emulator = try TestEmulator()
        let device = emulator.device()
        let first = try await device.signUp().client["sessions"]?[0]?["user"]?["primary_email_address_id"]?.string ?? ""
        try await emulator.device().signUp("bob@example.com")
        #expect(
            try await device.post("/me/email_addresses/", ["email_address": "bob@example.com"]).code == "form_identifier_exists")
        let added = try await device.post("/me/email_addresses", ["email_address": "new@example.com"])
        #expect(added.response["verification"] == .null)
        let path = "/me/email_addresses/\(added["id"])"
        #expect(try await emulator.device().signIn("new@example.com").code == "form_identifier_not_found")
        #expect(try await device.call(.patch, "/me", ["primary_email_address_id": added["id"]]).status == 422)
        _ = try await device.post(path + "/prepare_verification", ["strategy": "email_code"])
        #expect(try await device.post(path + "/attempt_verification", ["code": "0"]).code == "form_code_incorrect")
        let proven = try await device.post(path + "/attempt_verification", ["code": emulator.code(to: "new@example.com")])
        #expect(proven.response["verification"]?["status"] == "verified")
        #expect(
            try await device.call(.patch, "/me", ["primary_email_address_id": added["id"]])["primary_email_address_id"]
                == added["id"])
        #expect(try await device.call(.delete, "/me/email_addresses/\(first)").response["deleted"] == true)
        #expect(try await device.call(.delete, path).code == "identification_deletion_failed")
        #expect(try await emulator.device().signIn("new@example.com")["status"] == "complete")
        #expect(try await emulator.device().signIn().code == "form_identifier_not_found")
        #expect(try await device.get("/me/email_addresses").json.array?.count == 1)
    }

    @Test func aPasswordChanges() async throws {
        let emulator = try TestEmulator()
        let device = emulator.device()
        try await device.signUp()
        let other = emulator.device()
        try await other.signIn()
        func change(_ current: String, _ new: String) async throws -> TestResponse {
            try await device.post("/me/change_password", ["current_password": current, "new_password": new])
        }
        let wrong = try await change("wrong password", "another good one")
        #expect(wrong.code == "form_password_validation_failed" && wrong.parameter == "current_password")
        #expect(try await change(TestEmulator.password, TestEmulator.password).code == "form_new_password_matches_current")
        #expect(try await change(TestEmulator.password, "short").parameter == "new_password")
        #expect(try await change(TestEmulator.password, "another good one").status == 200)
        #expect(try await emulator.device().signIn().code == "form_password_incorrect")
        #expect(try await emulator.device().signIn(password: "another good one")["status"] == "complete")
        #expect(try await other.sessionToken().status >= 401)
        #expect(try await device.sessionToken().status == 200)
        #expect(
            try await device.post("/me/remove_password", ["current_password": "another good one"]).code == "password_required")
    }

    @Test func anAuthenticatorAppBecomesASecondFactor() async throws {
        let emulator = try TestEmulator()
        let device = emulator.device()
        try await device.signUp()
        #expect(try await device.post("/me/backup_codes").code == "backup_codes_not_available")
        let made = try await device.post("/me/totp")
        let secret = made["secret"]
        #expect(made["uri"].hasPrefix("otpauth://totp/") && secret.count == 32)
        #expect(try await emulator.device().signIn()["status"] == "complete")
        #expect(try await device.post("/me/totp/attempt_verification", ["code": "12345"]).code == "totp_invalid_length")
        let code = Authenticator.code(secret, at: emulator.server.panel.clock.now)
        let proven = try await device.post("/me/totp/attempt_verification", ["code": code])
        let codes = proven.list("backup_codes")
        #expect(proven.response["verified"] == true && codes.count == 10)
        #expect(try await device.post("/me/totp").code == "totp_already_enabled")

        let other = emulator.device()
        let begun = try await other.signIn()
        #expect(begun["status"] == "needs_second_factor")
        #expect(begun.strategies("supported_second_factors") == ["totp", "backup_code"])
        #expect(try await other.get("/me").status == 401)
        let path = "/client/sign_ins/\(begun["id"])/attempt_second_factor"
        let foreign = try await other.post(path, ["strategy": "phone_code", "code": "424242"])
        #expect(foreign.code == "no_second_factors")
        let wrong = try await other.post(path, ["strategy": "totp", "code": code == "000000" ? "000001" : "000000"])
        #expect(wrong.code == "form_code_incorrect")
        let now = Authenticator.code(secret, at: emulator.server.panel.clock.now)
        let done = try await other.post(path, ["strategy": "totp", "code": now])
        #expect(done["status"] == "complete" && done.client["sessions"]?[0]?["factor_verification_age"] == [0, 0])

        for expected in ["complete", nil] {
            let third = emulator.device()
            let begun = try await third.signIn()
            let done = try await third.post(
                "/client/sign_ins/\(begun["id"])/attempt_second_factor", ["strategy": "backup_code", "code": codes[0]])
            #expect(done.response["status"]?.string == expected)
        }
        #expect(try await device.call(.delete, "/me/totp").response["deleted"] == true)
        #expect(try await emulator.device().signIn()["status"] == "complete")
    }

    @Test func aReservedNumberBecomesASecondFactor() async throws {
        let emulator = try TestEmulator()
        let device = emulator.device()
        try await device.signUp()
        let added = try await device.post("/me/phone_numbers", ["phone_number": "+1 201 555 0102"])
        let path = "/me/phone_numbers/\(added["id"])"
        #expect(try await device.call(.patch, path, ["reserved_for_second_factor": "true"]).code == "verification_missing")
        _ = try await device.post(path + "/prepare_verification", ["strategy": "phone_code"])
        _ = try await device.post(path + "/attempt_verification", ["code": "424242"])
        let reserved = try await device.call(.patch, path, ["reserved_for_second_factor": "true"])
        #expect(reserved.response["reserved_for_second_factor"] == true && reserved.list("backup_codes").count == 10)
        #expect(try await device.get("/me").response["two_factor_enabled"] == true)
        let other = emulator.device()
        let begun = try await other.signIn()
        #expect(begun["status"] == "needs_second_factor")
        let attempt = "/client/sign_ins/\(begun["id"])"
        _ = try await other.post(attempt + "/prepare_second_factor", ["strategy": "phone_code"])
        let done = try await other.post(attempt + "/attempt_second_factor", ["strategy": "phone_code", "code": "424242"])
        #expect(done["status"] == "complete")
    }

    @Test func selfDeletionCanBeDisabled() async throws {
        let emulator = try TestEmulator { $0.allowsDeletingSelf = false }
        let device = emulator.device()
        try await device.signUp()
        #expect(try await device.call(.delete, "/me").code == "user_delete_self_not_enabled")
        #expect(try await device.get("/me").response["delete_self_enabled"] == false)
    }
}
