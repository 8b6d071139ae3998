import LockstepEmulation
import LockstepGoTrueEmulator
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

@Suite(.limitedConcurrency)
struct ResendTests {
    @Test(
        arguments: [
            (["type": "email_change"], "Missing email address or phone number"),
            (["type": "phone_change"], "Missing email address or phone number"),
            (["type": "signup", "code_challenge": "short"], "PKCE flow requires code_challenge_method and code_challenge"),
            (
                ["type": "nothing", "code_challenge": "short"],
                "Missing one of these types: signup, email_change, sms, phone_change"
            ),
            (["type": "sms", "code_challenge": "short"], "Type provided requires a phone number"),
            (["type": "phone_change", "email": "x"], "Unable to validate email address: invalid format"),
            (["type": "email_change", "phone": "x"], "Invalid phone number format (E.164 required)"),
        ] as [(JSON, String)])
    func invalidRequestIsRejected(_ body: JSON, _ message: String) async throws {
        let refused = try await TestEmulator().post("/resend", body)
        #expect(refused.status == 400 && refused.code == "validation_failed" && refused["msg"] == message)
    }

    @Test func aChangeIsFoundByEitherAddress() async throws {
        let emulator = try TestEmulator()
        let body: JSON = [
            "email": "ada@example.com", "phone": "+15551234567", "password": "Correct-Horse-1", "email_confirm": true,
            "phone_confirm": true,
        ]
        _ = try await emulator.post("/admin/users", body, bearer: emulator.admin)
        let bearer = try await emulator.signIn("ada@example.com")["access_token"]
        _ = try await emulator.put("/user", ["email": "new@example.com", "phone": "+15557654321"], bearer: bearer)
        let outbox = emulator.server.panel.outbox
        let sent = (mails: outbox.mails(to: "new@example.com").count, texts: outbox.shortMessages.count)
        emulator.server.panel.advance(by: .seconds(61))
        #expect(try await emulator.post("/resend", ["type": "email_change", "phone": "+15551234567"]).status == 200)
        #expect(try await emulator.post("/resend", ["type": "phone_change", "email": "ada@example.com"]).status == 200)
        #expect(outbox.mails(to: "new@example.com").count == sent.mails + 1)
        #expect(outbox.shortMessages.count == sent.texts + 1)
    }
}
