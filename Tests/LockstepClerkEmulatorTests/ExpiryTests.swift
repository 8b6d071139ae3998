import LockstepClerkEmulator
import LockstepEmulation
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

/// Expired and ended objects are removed a day later, and until then reported as ended.
@Suite(.limitedConcurrency)
struct ExpiryTests {
    @Test func expiredLinkIsForgottenAfterADay() async throws {
        let emulator = try TestEmulator()
        try await emulator.device().signUp()
        let device = emulator.device()
        let begun = try await device.post("/client/sign_ins", ["identifier": "ada@example.com"])
        _ = try await device.post(
            "/client/sign_ins/\(begun["id"])/prepare_first_factor",
            ["strategy": "email_link", "redirect_url": "https://app.example.com/done"])
        let link = emulator.link(to: "ada@example.com")
        emulator.pass(601)
        #expect(try await emulator.send(HTTPRequest(.get, link)).headers["Location"]?.contains("__clerk_status=expired") == true)
        emulator.pass(86_400 + 600)
        #expect(try await emulator.send(HTTPRequest(.get, link)).code == "verification_link_token_invalid")
    }

    @Test func unverifiedPasskeyIsRemovedAfterADay() async throws {
        let emulator = try TestEmulator { $0.passkeys.isEnabled = true }
        let device = emulator.device()
        try await device.signUp()
        let made = try await device.post("/me/passkeys")
        emulator.pass(86_400 - 600)
        #expect(try await device.get("/me/passkeys/\(made["id"])").status == 200)
        emulator.pass(86_400 + 600)
        #expect(try await device.get("/me/passkeys/\(made["id"])").code == "resource_not_found")
    }

    @Test func abandonedAttemptIsForgottenAfterADay() async throws {
        let emulator = try TestEmulator()
        try await emulator.device().signUp()
        let device = emulator.device()
        let begun = try await device.post("/client/sign_ins", ["identifier": "ada@example.com"])
        emulator.pass(86_400 + 1)
        #expect(try await device.get("/client/sign_ins/\(begun["id"])").status == 200)
        #expect(try await device.get("/client").response["sign_in"] == .null)
        emulator.pass(86_400 + 600)
        #expect(try await device.get("/client/sign_ins/\(begun["id"])").status == 404)
    }
}
