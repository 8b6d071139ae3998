import LockstepClerkEmulator
import LockstepCrypto
import LockstepEmulation
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

/// Links in mails: opened in a browser, and submitted by a native app.
@Suite(.limitedConcurrency)
struct LinkTests {
    private func begin(_ emulator: TestEmulator, _ device: Device) async throws -> TestResponse {
        let begun = try await device.post("/client/sign_ins", ["identifier": "ada@example.com"])
        return try await device.post(
            "/client/sign_ins/\(begun["id"])/prepare_first_factor",
            ["strategy": "email_link", "redirect_url": "https://app.example.com/done?x=1"])
    }

    @Test func waitingClientSeesALinkOpenedOnAnotherDevice() async throws {
        let emulator = try TestEmulator()
        try await emulator.device().signUp()
        let device = emulator.device()
        let sent = try await begin(emulator, device)
        #expect(sent.response["first_factor_verification"]?["object"] == "verification_email_link")
        let link = emulator.link(to: "ada@example.com")
        let opened = try await emulator.send(HTTPRequest(.get, link))
        #expect(opened.status == 303)
        let target = opened.headers["Location"] ?? ""
        #expect(target.hasPrefix("https://app.example.com/done?x=1&__clerk_status=verified&__clerk_created_session=sess_"))
        let seen = try await device.get("/client").response
        #expect(seen["sign_in"]?["status"] == "complete" && seen["sessions"]?.array?.count == 1)
        #expect(seen["sign_in"]?["first_factor_verification"]?["verified_at_client"]?.string == seen["id"]?.string)
        #expect(try await device.get("/client/sign_ins/\(sent["id"])")["status"] == "complete")
        let again = try await emulator.send(HTTPRequest(.get, link))
        #expect(again.headers["Location"]?.contains("__clerk_status=failed") == true)
        #expect(
            try await emulator.send(HTTPRequest(.get, emulator.server.base + "/v1/verify?token=x")).code
                == "verification_link_token_invalid")
    }

    @Test func onlyTheNewestLinkWorksUntilItExpires() async throws {
        let emulator = try TestEmulator()
        try await emulator.device().signUp()
        let device = emulator.device()
        let sent = try await begin(emulator, device)
        let first = emulator.link(to: "ada@example.com")
        _ = try await device.post(
            "/client/sign_ins/\(sent["id"])/prepare_first_factor",
            ["strategy": "email_link", "redirect_url": "https://app.example.com/done"])
        let second = emulator.link(to: "ada@example.com")
        #expect(try await emulator.send(HTTPRequest(.get, first)).headers["Location"]?.contains("__clerk_status=failed") == true)
        emulator.pass(601)
        #expect(
            try await emulator.send(HTTPRequest(.get, second)).headers["Location"]?.contains("__clerk_status=expired") == true)
        #expect(try await device.get("/client").response["sessions"] == [])
        let bad = try await device.post(
            "/client/sign_ins/\(sent["id"])/prepare_first_factor",
            ["strategy": "email_link", "redirect_url": "javascript:alert(1)"])
        #expect(bad.code == "prohibited_redirect_url")
    }

    @Test func nativeAppSubmitsItsLink() async throws {
        let emulator = try TestEmulator()
        try await emulator.device().signUp()
        let device = emulator.device()
        let verifier = "a-verifier-that-only-this-device-knows-0123456789"
        let challenge = Base64.encode(HashFunction.sha256.digest(Array(verifier.utf8)), .url)
        let begun = try await device.post("/client/sign_ins", ["identifier": "ada@example.com"])
        _ = try await device.post(
            "/client/sign_ins/\(begun["id"])/prepare_first_factor",
            [
                "strategy": "email_link", "redirect_uri": "com.example.app://callback", "code_challenge": challenge,
                "code_challenge_method": "S256",
            ])
        let link = emulator.link(to: "ada@example.com")
        #expect(link.hasPrefix("com.example.app://callback?flow_id="))
        let query = Percent.decodeForm(link.split(separator: "?").last ?? "") ?? []
        func complete(_ verifier: String) async throws -> TestResponse {
            try await device.post(
                "/client/magic_links/complete",
                .init(query.map { (name: $0.name, value: $0.value) } + [(name: "code_verifier", value: verifier)]))
        }
        #expect(try await complete("another verifier").code == "pkce_verification_failed")
        let ticket = try await complete(verifier).json["ticket"]?.string ?? ""
        #expect(try await complete(verifier).code == "approval_token_consumed")
        #expect(try await device.post("/client/sign_ins", ["strategy": "ticket", "ticket": ticket])["status"] == "complete")
    }

    @Test func aLinkCompletesASignUp() async throws {
        let emulator = try TestEmulator { $0.emailVerification = [.link] }
        let device = emulator.device()
        let begun = try await device.post(
            "/client/sign_ups", ["email_address": "ada@example.com", "password": TestEmulator.password])
        let code = try await device.post("/client/sign_ups/\(begun["id"])/prepare_verification", ["strategy": "email_code"])
        #expect(code.code == "form_param_value_disabled")
        _ = try await device.post(
            "/client/sign_ups/\(begun["id"])/prepare_verification",
            ["strategy": "email_link", "redirect_url": "https://app.example.com/"])
        #expect(try await emulator.send(HTTPRequest(.head, emulator.link(to: "ada@example.com"))).status >= 400)
        #expect(try await device.get("/client/sign_ups/\(begun["id"])")["status"] == "missing_requirements")
        _ = try await emulator.send(HTTPRequest(.get, emulator.link(to: "ada@example.com")))
        #expect(try await device.get("/client/sign_ups/\(begun["id"])")["status"] == "complete")
        #expect(try await device.get("/me").response["email_addresses"]?[0]?["verification"]?["strategy"] == "email_link")
    }

    @Test func aBoundLinkRejectsAnotherClient() async throws {
        let emulator = try TestEmulator { $0.bindsLinksToClient = true }
        try await emulator.device().signUp()
        let device = emulator.device()
        _ = try await begin(emulator, device)
        let opened = try await emulator.send(HTTPRequest(.get, emulator.link(to: "ada@example.com")))
        #expect(opened.headers["Location"]?.contains("__clerk_status=client_mismatch") == true)
    }
}
