import LockstepClerkEmulator
import LockstepEmulation
import LockstepEmulatorTestSupport
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

/// Passkeys: created, named, used, removed, with an authenticator that signs.
@Suite(.limitedConcurrency)
struct PasskeyTests {
    private func start() throws -> TestEmulator { try TestEmulator { $0.passkeys.isEnabled = true } }

    /// An authenticator's response to options, in one field.
    private func answer(_ kind: String, _ options: JSON, _ more: JSONObject = [:]) -> String {
        var spec: JSONObject = ["do": .string(kind), "seed": "a", "challenge": options["challenge"] ?? ""]
        for (name, value) in more { spec[name] = value }
        return SoftwarePasskey(.object(spec)).credential.text()
    }

    private func options(_ verification: JSON?) throws -> JSON { try JSON.parse(verification?["nonce"]?.string ?? "") }

    /// A signed-in device whose user has a passkey, and the passkey's id.
    private func register(_ emulator: TestEmulator) async throws -> (device: Device, id: String) {
        let device = emulator.device()
        try await device.signUp()
        let made = try await device.post("/me/passkeys")
        let proven = try await device.post(
            "/me/passkeys/\(made["id"])/attempt_verification",
            ["strategy": "passkey", "public_key_credential": answer("create", try options(made.response["verification"]))])
        #expect(proven.response["verification"]?["status"] == "verified")
        return (device, made["id"])
    }

    @Test func aPasskeySignsInWithoutAnIdentifier() async throws {
        let emulator = try start()
        let (ada, id) = try await register(emulator)
        #expect(try await ada.get("/me").response["passkeys"]?[0]?["id"]?.string == id)
        let device = emulator.device()
        let begun = try await device.post("/client/sign_ins", ["strategy": "passkey"])
        #expect(begun["status"] == "needs_first_factor" && begun.list("supported_identifiers").contains("passkey"))
        let options = try options(begun.response["first_factor_verification"])
        let path = "/client/sign_ins/\(begun["id"])/attempt_first_factor"
        func attempt(_ credential: String) async throws -> TestResponse {
            try await device.post(path, ["strategy": "passkey", "public_key_credential": credential])
        }
        #expect(try await attempt("{}").code == "passkey_invalid_public_key_credential")
        #expect(try await attempt(answer("get", options, ["seed": "other"])).code == "passkey_not_registered")
        #expect(
            try await attempt(answer("get", options, ["origin": "https://evil.example"])).code == "passkey_authentication_failure"
        )
        #expect(try await attempt(answer("get", ["challenge": "other"])).code == "passkey_authentication_failure")
        #expect(try await attempt(answer("get", options, ["user": "user_other"])).code == "passkey_authentication_failure")
        // The origin of a native app.
        #expect(try await attempt(answer("get", options, ["origin": "https://localhost"]))["status"] == "complete")
        #expect(try await ada.get("/me/passkeys/\(id)").response["last_used_at"]?.int != nil)
    }

    @Test func passkeyReverifiesASession() async throws {
        let emulator = try start()
        emulator.admin.change { $0.asksAgain = true }
        let (ada, id) = try await register(emulator)
        emulator.pass(601)
        #expect(try await ada.call(.delete, "/me/passkeys/\(id)").code == "session_reverification_required")
        let session = try await ada.get("/client").response["last_active_session_id"]?.string ?? ""
        let path = "/client/sessions/\(session)/verify"
        let begun = try await ada.post(path, ["level": "first_factor"])
        #expect(begun.strategies("supported_first_factors").contains("passkey"))
        func attempt(_ credential: String) async throws -> TestResponse {
            try await ada.post(path + "/attempt_first_factor", ["strategy": "passkey", "public_key_credential": credential])
        }
        #expect(try await attempt(answer("get", ["challenge": "none"])).code == "verification_missing")
        let prepared = try await ada.post(path + "/prepare_first_factor", ["strategy": "passkey"])
        let options = try options(prepared.response["first_factor_verification"])
        #expect(options["allowCredentials"]?.array?.count == 1)
        #expect(try await attempt(answer("get", ["challenge": "other"])).code == "passkey_authentication_failure")
        let done = try await attempt(answer("get", options))
        #expect(done["status"] == "complete" && done.response["first_factor_verification"]?["status"] == "verified")
        #expect(try await ada.call(.delete, "/me/passkeys/\(id)").status == 200)
    }

    @Test func passkeyWorksOnlyForItsUser() async throws {
        let emulator = try start()
        _ = try await register(emulator)
        let bob = emulator.device()
        try await bob.signUp("bob@example.com")
        let device = emulator.device()
        let ada = try await device.post("/client/sign_ins", ["identifier": "ada@example.com"])
        #expect(ada.strategies("supported_first_factors").first == "passkey")
        let none = try await emulator.device().post("/client/sign_ins", ["identifier": "bob@example.com", "strategy": "passkey"])
        #expect(none.code == "strategy_for_user_invalid")
        let prepared = try await device.post("/client/sign_ins/\(ada["id"])/prepare_first_factor", ["strategy": "passkey"])
        let options = try options(prepared.response["first_factor_verification"])
        #expect(options["allowCredentials"]?.array?.count == 1)
        emulator.pass(301)
        let late = try await device.post(
            "/client/sign_ins/\(ada["id"])/attempt_first_factor",
            ["strategy": "passkey", "public_key_credential": answer("get", options)])
        #expect(late.code == "verification_expired")
    }

    @Test func aPasskeyIsNamedAndRemoved() async throws {
        let emulator = try start()
        let (ada, id) = try await register(emulator)
        #expect(try await ada.call(.patch, "/me/passkeys/\(id)", ["name": "Laptop"])["name"] == "Laptop")
        let again = try await ada.post("/me/passkeys")
        let twice = try await ada.post(
            "/me/passkeys/\(again["id"])/attempt_verification",
            ["public_key_credential": answer("create", try options(again.response["verification"]))])
        #expect(twice.code == "passkey_invalid_public_key_credential")
        let wrong = try await ada.post(
            "/me/passkeys/\(again["id"])/attempt_verification",
            ["public_key_credential": answer("create", ["challenge": "other"], ["seed": "b"])])
        #expect(wrong.code == "passkey_invalid_verification")
        #expect(try await ada.call(.delete, "/me/passkeys/\(id)").response["deleted"] == true)
        #expect(try await ada.get("/me/passkeys/\(id)").code == "resource_not_found")
        let user = try await ada.get("/me")["id"]
        #expect(try await emulator.backend(.get, "/users/\(user)").json["passkeys"] == [])
        #expect(try await emulator.backend(.delete, "/users/\(user)/passkeys/\(id)").code == "resource_not_found")
    }

    @Test func passkeyNeedsUserVerificationAndAGrowingCount() async throws {
        let emulator = try start()
        let ada = emulator.device()
        try await ada.signUp()
        let made = try await ada.post("/me/passkeys")
        let nonce = try options(made.response["verification"])
        func prove(_ more: JSONObject) async throws -> TestResponse {
            try await ada.post(
                "/me/passkeys/\(made["id"])/attempt_verification",
                ["strategy": "passkey", "public_key_credential": answer("create", nonce, more)])
        }
        #expect(try await prove(["verified": false]).code == "passkey_invalid_verification")
        #expect(try await prove(["count": 7]).response["verification"]?["status"] == "verified")
        let uses = [(8, false, false), (8, true, true), (8, true, false), (7, true, false), (9, true, true)]
        for (count, verified, expected) in uses {
            let device = emulator.device()
            let begun = try await device.post("/client/sign_ins", ["strategy": "passkey"])
            let more: JSONObject = ["count": .int(Int64(count)), "verified": .bool(verified)]
            let credential = answer("get", try options(begun.response["first_factor_verification"]), more)
            let ended = try await device.post(
                "/client/sign_ins/\(begun["id"])/attempt_first_factor",
                ["strategy": "passkey", "public_key_credential": credential])
            #expect(expected ? ended["status"] == "complete" : ended.code == "passkey_authentication_failure", "\(count)")
        }
    }

    @Test func administratorRemovesAPasskey() async throws {
        let emulator = try start()
        let (ada, id) = try await register(emulator)
        let user = try await ada.get("/me")["id"]
        #expect(try await emulator.backend(.get, "/users/\(user)").json["passkeys"]?[0]?["name"] == "Passkey")
        #expect(try await emulator.backend(.delete, "/users/\(user)/passkeys/\(id)").json["deleted"] == true)
    }

    @Test func anInstanceWithoutPasskeysRejectsThem() async throws {
        let emulator = try TestEmulator()
        let ada = emulator.device()
        try await ada.signUp()
        #expect(try await ada.post("/me/passkeys").code == "feature_not_enabled")
        #expect(try await emulator.device().post("/client/sign_ins", ["strategy": "passkey"]).code == "form_param_value_disabled")
    }

    @Test func instanceHasOneSvixApp() async throws {
        let emulator = try TestEmulator()
        #expect(try await emulator.backend(.post, "/webhooks/svix_url").code == "svix_app_missing")
        let made = try await emulator.backend(.post, "/webhooks/svix")
        #expect(try await emulator.backend(.post, "/webhooks/svix").code == "svix_app_exists")
        #expect(try await emulator.backend(.post, "/webhooks/svix_url").json == made.json)
        #expect(try await emulator.send(HTTPRequest(.get, made.json["svix_url"]?.string ?? "")).status == 200)
        #expect(try await emulator.backend(.delete, "/webhooks/svix").status == 204)
        #expect(try await emulator.backend(.post, "/webhooks/svix").status == 200)
        try emulator.server.emulator.reset()
        #expect(try await emulator.backend(.post, "/webhooks/svix").status == 200)
    }
}
