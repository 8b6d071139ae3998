import LockstepClerkEmulator
import LockstepEmulation
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

/// Codes, states and confirmations used by others than their recipients.
@Suite(.limitedConcurrency)
struct ForeignProofTests {
    private func waiting(_ emulator: TestEmulator, _ device: Device, _ email: String) async throws -> String {
        let begun = try await device.post("/client/sign_ups", ["email_address": email, "password": TestEmulator.password])
        let path = "/client/sign_ups/\(begun["id"])"
        _ = try await device.post(path + "/prepare_verification", ["strategy": "email_code"])
        return path + "/attempt_verification"
    }

    @Test func guessesAreCountedAcrossConnections() async throws {
        let emulator = try TestEmulator()
        let (device, other) = (emulator.device(), emulator.device())
        let path = try await waiting(emulator, device, "ada@example.com")
        let theirs = try await waiting(emulator, other, "eve@example.com")
        let codes = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<40 {
                group.addTask { try await device.post(path, ["strategy": "email_code", "code": "no"]).code ?? "ok" }
            }
            return try await group.reduce(into: [String: Int]()) { $0[$1, default: 0] += 1 }
        }
        #expect(codes == ["form_code_incorrect": 3, "verification_failed": 37])
        let right: HTTPForm = ["strategy": "email_code", "code": emulator.code(to: "ada@example.com")]
        #expect(try await device.post(path, right).code == "verification_failed")
        let own: HTTPForm = ["strategy": "email_code", "code": emulator.code(to: "eve@example.com")]
        #expect(try await other.post(theirs, own)["status"] == "complete")
    }

    @Test func codesWorkForOneAttemptAndOnePurpose() async throws {
        let emulator = try TestEmulator()
        for email in ["ada@example.com", "eve@example.com"] { try await emulator.device().signUp(email) }
        let (adas, eves) = (emulator.device(), emulator.device())
        let first = try await adas.prepare("email_code", "ada@example.com")
        let second = try await eves.prepare("email_code", "eve@example.com")
        let code = emulator.code(to: "ada@example.com")
        func attempt(_ device: Device, _ id: String, _ strategy: String, _ code: String) async throws -> TestResponse {
            try await device.post("/client/sign_ins/\(id)/attempt_first_factor", ["strategy": strategy, "code": code])
        }
        #expect(try await attempt(eves, second["id"], "email_code", code).code == "form_code_incorrect")
        #expect(
            try await attempt(adas, first["id"], "reset_password_email_code", code).code == "verification_strategy_invalid")
        #expect(try await attempt(adas, first["id"], "email_code", code)["status"] == "complete")
    }

    @Test func attemptBelongsToItsClient() async throws {
        let emulator = try TestEmulator()
        let (adas, eves) = (emulator.device(), emulator.device())
        try await eves.signUp("eve@example.com")
        let path = try await waiting(emulator, adas, "ada@example.com")
        let right: HTTPForm = ["strategy": "email_code", "code": emulator.code(to: "ada@example.com")]
        let refused = try await eves.post(path, right)
        #expect(refused.status >= 400 && ["resource_forbidden", "resource_not_found"].contains(refused.code ?? ""))
        #expect(try emulator.admin.users().count == 1)
        #expect(try await adas.post(path, right)["status"] == "complete")

        let added = try await adas.post("/me/email_addresses", ["email_address": "countess@example.com"])
        let address = "/me/email_addresses/\(added["id"])"
        _ = try await adas.post(address + "/prepare_verification", ["strategy": "email_code"])
        let code: HTTPForm = ["code": emulator.code(to: "countess@example.com")]
        #expect(try await eves.post(address + "/attempt_verification", code).code == "resource_not_found")
        #expect(try await adas.post(address + "/attempt_verification", code).code == nil)
    }

    @Test(arguments: [("email_code", true), ("reset_password_email_code", true), ("reset_password_email_code", false)])
    func messageToAFormerAddressIsRejected(_ strategy: String, isProvenLate: Bool) async throws {
        let emulator = try TestEmulator()
        let (owner, other) = (emulator.device(), emulator.device())
        try await owner.signUp()
        let sent = try await other.prepare(strategy)
        let path = "/client/sign_ins/\(sent["id"])"
        let proof: HTTPForm = ["strategy": strategy, "code": emulator.code(to: "ada@example.com")]
        if !isProvenLate {
            #expect(try await other.post(path + "/attempt_first_factor", proof)["status"] == "needs_new_password")
        }

        let former = try await owner.get("/me")["primary_email_address_id"]
        let added = try await owner.post("/me/email_addresses", ["email_address": "countess@example.com"])["id"]
        _ = try await owner.post("/me/email_addresses/\(added)/prepare_verification", ["strategy": "email_code"])
        let code: HTTPForm = ["code": emulator.code(to: "countess@example.com")]
        _ = try await owner.post("/me/email_addresses/\(added)/attempt_verification", code)
        let told = emulator.server.panel.outbox.mails(to: "ada@example.com").count
        _ = try await owner.call(.patch, "/me", ["primary_email_address_id": added])
        #expect(emulator.server.panel.outbox.mails(to: "ada@example.com").count == told + 1)
        #expect(try await owner.call(.delete, "/me/email_addresses/\(former)").status == 200)

        let gone = "sign_in_identification_or_user_deleted"
        if isProvenLate {
            #expect(try await other.post(path + "/attempt_first_factor", proof).code == gone)
        } else {
            #expect(try await other.post(path + "/reset_password", ["password": "another good one"]).code == gone)
        }
        #expect(try await emulator.device().signIn("countess@example.com")["status"] == "complete")
    }

    /// Adding an address without verification claims nothing.
    ///
    /// Its owner can sign up, and the unverified address of the other user is removed.
    @Test(arguments: [false, true])
    func unverifiedAddressOfAnotherUserBlocksNoSignUp(isInvited: Bool) async throws {
        let emulator = try TestEmulator()
        let (eve, ada) = (emulator.device(), emulator.device())
        try await eve.signUp("eve@example.com")
        let noted = try await eve.post("/me/email_addresses", ["email_address": "ada@example.com"])["id"]
        _ = try await eve.post("/me/email_addresses/\(noted)/prepare_verification", ["strategy": "email_code"])
        let code = emulator.code(to: "ada@example.com")
        if isInvited {
            _ = try await emulator.backend(.post, "/invitations", ["email_address": "ada@example.com"])
            let page = try #require(emulator.link(to: "ada@example.com").split(separator: "=").last)
            let form: HTTPForm = ["strategy": "ticket", "ticket": String(page), "password": TestEmulator.password]
            #expect(try await ada.post("/client/sign_ups", form)["status"] == "complete")
        } else {
            #expect(try await ada.signUp()["status"] == "complete")
        }
        #expect(try emulator.admin.userCount() == 2)
        let late = try await eve.post("/me/email_addresses/\(noted)/attempt_verification", ["code": code])
        #expect(late.code == "resource_not_found")
        #expect(try await eve.get("/me").response["email_addresses"]?.array?.count == 1)
        #expect(try await eve.post("/me/email_addresses", ["email_address": "ada@example.com"]).code == "form_identifier_exists")
    }

    /// Two users can have the same unverified address.
    ///
    /// The first one who verifies it gets it.
    @Test func firstVerificationTakesTheAddress() async throws {
        let emulator = try TestEmulator()
        let (eve, ada) = (emulator.device(), emulator.device())
        try await eve.signUp("eve@example.com")
        try await ada.signUp("ada@example.com")
        let noted = try await eve.post("/me/email_addresses", ["email_address": "new@example.com"])["id"]
        let own = try await ada.post("/me/email_addresses", ["email_address": "new@example.com"])
        #expect(own.status == 200)
        #expect(try await ada.post("/me/email_addresses", ["email_address": "new@example.com"]).code == "form_identifier_exists")
        _ = try await ada.post("/me/email_addresses/\(own["id"])/prepare_verification", ["strategy": "email_code"])
        let code: HTTPForm = ["code": emulator.code(to: "new@example.com")]
        #expect(try await ada.post("/me/email_addresses/\(own["id"])/attempt_verification", code).status == 200)
        #expect(try await eve.get("/me/email_addresses/\(noted)").code == "resource_not_found")
    }

    // MARK: Redirects

    private func emulator() throws -> TestEmulator {
        try TestEmulator { settings in
            settings.providers = ["apple", "google"].map {
                IdentityProvider(name: $0, issuer: "https://\($0).example", audiences: ["app"], keys: ["keys": []])
            }
        }
    }

    /// The callback of a provider that has identified the person as Ada: the address with code and state.
    private func callback(_ emulator: TestEmulator, _ device: Device, _ provider: String) async throws -> (
        id: String, code: String, state: String
    ) {
        let begun = try await device.post(
            "/client/sign_ups", ["strategy": "oauth_\(provider)", "redirect_url": "com.example.app://callback"])
        let url = begun.response["verifications"]?["external_account"]?["external_verification_redirect_url"]?.string ?? ""
        let page = try await emulator.send(HTTPRequest(.get, url + "&sub=001.ada&email=ada%40example.com"))
        let query = Percent.decodeForm(page.headers["Location"]?.split(separator: "?").last ?? "") ?? []
        func value(_ name: String) throws -> String { try #require(query.first { $0.name == name }?.value) }
        return (begun["id"], try value("code"), try value("state"))
    }

    private func comeBack(_ emulator: TestEmulator, _ query: String) async throws -> TestResponse {
        try await emulator.send(HTTPRequest(.get, emulator.server.base + "/v1/oauth_callback?" + query))
    }

    @Test func callbackNeedsItsStateAndACodeWorksOnce() async throws {
        let emulator = try emulator()
        let device = emulator.device()
        let (id, code, state) = try await callback(emulator, device, "apple")
        for foreign in ["", "&state=", "&state=x", "&state=\(state.dropLast())", "&state=\(code)"] {
            let refused = try await comeBack(emulator, "code=\(code)" + foreign)
            #expect(refused.status >= 400 && refused.headers["Location"] == nil, "\(foreign)")
        }
        #expect(try emulator.admin.userCount() == 0)
        // None of them has used up the code.
        let done = try await comeBack(emulator, "code=\(code)&state=\(state)")
        #expect(done.headers["Location"]?.hasPrefix("com.example.app://callback?rotating_token_nonce=") == true)
        #expect(try await device.get("/client/sign_ups/\(id)")["status"] == "complete")
        #expect(try await comeBack(emulator, "code=\(code)&state=\(state)").status == 400)
        let next = try await callback(emulator, emulator.device(), "apple")
        #expect(try await comeBack(emulator, "code=\(code)&state=\(next.state)").code == "oauth_token_exchange_error")
        #expect(try emulator.admin.userCount() == 1)
    }

    @Test func aCodeOfAnotherProviderIsRejected() async throws {
        let emulator = try emulator()
        let (device, other) = (emulator.device(), emulator.device())
        let own = try await callback(emulator, device, "apple")
        let foreign = try await callback(emulator, other, "google")
        let mixed = try await comeBack(emulator, "code=\(foreign.code)&state=\(own.state)")
        #expect(mixed.status == 400 && mixed.code == "oauth_token_exchange_error")
        #expect(try await device.get("/client/sign_ups/\(own.id)")["status"] != "complete")
        #expect(try emulator.admin.userCount() == 0)
        #expect(try await comeBack(emulator, "code=\(own.code)&state=\(own.state)").headers["Location"] != nil)
        #expect(try await device.get("/client/sign_ups/\(own.id)")["status"] == "complete")
    }
}
