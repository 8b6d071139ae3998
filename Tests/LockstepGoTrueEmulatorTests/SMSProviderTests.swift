import LockstepEmulation
import LockstepGoTrueEmulator
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

/// SMS providers by name.
///
/// With their credentials the outbox replaces them; without credentials nothing can be sent.
@Suite(.limitedConcurrency)
struct SMSProviderTests {
    private func emulator(_ pairs: [(name: String, value: String)]) throws -> TestEmulator {
        let settings = try GoTrueSettings(environment: pairs)
        return try TestEmulator {
            $0.sms = settings.sms
            $0.factors.phone.mayEnroll = true
            $0.factors.phone.mayVerify = true
        }
    }

    @Test(arguments: [
        ("twilio", ["TWILIO_ACCOUNT_SID", "TWILIO_AUTH_TOKEN", "TWILIO_MESSAGE_SERVICE_SID"]),
        ("twilio_verify", ["TWILIO_VERIFY_ACCOUNT_SID", "TWILIO_VERIFY_AUTH_TOKEN", "TWILIO_VERIFY_MESSAGE_SERVICE_SID"]),
        ("messagebird", ["MESSAGEBIRD_ACCESS_KEY", "MESSAGEBIRD_ORIGINATOR"]),
        ("textlocal", ["TEXTLOCAL_API_KEY", "TEXTLOCAL_SENDER"]),
        ("vonage", ["VONAGE_API_KEY", "VONAGE_API_SECRET", "VONAGE_FROM"]),
    ])
    func providerWithoutCredentialsSendsAndStoresNothing(_ name: String, _ credentials: [String]) async throws {
        let whole = [("GOTRUE_SMS_PROVIDER", name)] + credentials.map { ("GOTRUE_SMS_\($0)", "x") }
        let phone: JSON = ["phone": "+15551234567", "password": "Correct-Horse-1"]
        for left in [[], Array(credentials.dropLast())] {
            let pairs = [("GOTRUE_SMS_PROVIDER", name)] + credentials.map { ("GOTRUE_SMS_\($0)", left.contains($0) ? "x" : "") }
            let emulator = try emulator(pairs)
            for (path, body) in [("/signup", phone), ("/otp", ["phone": "+15551234567"])] {
                let refused = try await emulator.post(path, body)
                #expect(refused.status == 500 && refused.code == "unexpected_failure", "\(path) \(refused.json)")
                #expect(refused["msg"] == "Unable to get SMS provider")
            }
            #expect(try emulator.administrator.userCount() == 0)
            #expect(emulator.server.panel.outbox.shortMessages.isEmpty)
        }
        let emulator = try emulator(whole)
        #expect(try await emulator.post("/signup", phone).status == 200)
        #expect(emulator.server.panel.outbox.shortMessages.count == 1)
    }

    @Test func unknownProviderNameIsRejected() async throws {
        let refused = try await emulator([("GOTRUE_SMS_PROVIDER", "pigeon")]).post("/otp", ["phone": "+15551234567"])
        #expect(refused.status == 500 && refused["msg"] == "Unable to get SMS provider")
    }

    @Test func secondFactorHasItsOwnMessage() async throws {
        let emulator = try emulator([("GOTRUE_SMS_PROVIDER", "twilio")])
        let bearer = try await emulator.person()["access_token"]
        let factor = try await emulator.post("/factors", ["factor_type": "phone", "phone": "+15551234567"], bearer: bearer)
        let refused = try await emulator.post("/factors/\(factor["id"])/challenge", bearer: bearer)
        #expect(refused.status == 500 && refused["msg"] == "Failed to get SMS provider")
    }

    /// If only a provider is named, the start reports the missing credentials.
    @Test func startNamesMissingCredentials() throws {
        let notices = try GoTrueSettings(environment: [
            ("GOTRUE_SMS_PROVIDER", "twilio"), ("GOTRUE_SMS_TWILIO_ACCOUNT_SID", "x"),
        ]).notices
        #expect(notices.count == 1)
        let notice = notices.first ?? ""
        for name in ["GOTRUE_SMS_PROVIDER", "GOTRUE_SMS_TWILIO_AUTH_TOKEN", "GOTRUE_SMS_TWILIO_MESSAGE_SERVICE_SID"] {
            #expect(notice.contains(name), "\(notice)")
        }
        #expect(!notice.contains("ACCOUNT_SID"))
    }
}
