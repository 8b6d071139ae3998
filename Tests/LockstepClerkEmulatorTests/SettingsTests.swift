import LockstepClerkEmulator
import LockstepEmulation
import LockstepHTTP
import LockstepPrimitives
import Testing

/// Settings from text, and what the environment says of them.
struct SettingsTests {
    @Test func linesAndJSONAreRead() throws {
        let lines = try ClerkSettings(
            text: """
                # an instance for tests
                CLERK_PHONE_NUMBER=required
                username = off
                EMAIL_VERIFICATION="email_link"
                RESEND_SECONDS=30
                LOCKOUT_ATTEMPTS=10
                CLIENT_TRUST=on
                PASSWORD_COST=least
                """)
        #expect(lines.phoneNumber == .required && lines.username == .off && lines.emailVerification == [.link])
        #expect(lines.resendInterval == .seconds(30) && lines.lockout?.attempts == 10)
        #expect(lines.asksNewClients && lines.usesCheapHashes)
        let object = try ClerkSettings(text: #"{"SIGN_UP_MODE":"waitlist","SESSION_SECONDS":60,"NATIVE_API":false}"#)
        #expect(object.signUpMode == .waitlist && object.sessionLifetime == .seconds(60) && !object.allowsNativeAPI)
    }

    @Test(arguments: [
        ("COLOUR=blue", ClerkSettingsError.Code.unknownName), ("EMAIL_ADDRESS=maybe", .badValue),
        ("PASSWORD_MIN_LENGTH=3", .badValue),
        ("just text", .malformed), ("{broken", .malformed), (#"{"EMAIL_ADDRESS":[]}"#, .badValue),
        ("EMAIL_ADDRESS=off\nPHONE_NUMBER=off\nUSERNAME=off", .contradiction),
        ("PASSWORD_MIN_LENGTH=20\nPASSWORD_MAX_LENGTH=10", .contradiction), ("EMAIL_VERIFICATION=none", .contradiction),
    ])
    func whatCannotBeUsedIsNamed(text: String, code: ClerkSettingsError.Code) {
        #expect { try ClerkSettings(text: text) } throws: { ($0 as? ClerkSettingsError)?.code == code }
    }

    @Test func theEnvironmentFollows() async throws {
        let stage = try Stage {
            $0.phoneNumber = .off
            $0.asksAgain = true
            $0.providers = [IdentityProvider(name: "google", issuer: "https://accounts.google.com")]
        }
        let environment = try await stage.send(HTTPRequest(.get, stage.server.base + "/v1/environment")).json
        let attributes = environment["user_settings"]?["attributes"]
        #expect(attributes?["phone_number"]?["enabled"] == false && attributes?["email_address"]?["required"] == true)
        #expect(environment["auth_config"]?["reverification"] == true)
        #expect(environment["user_settings"]?["social"]?["oauth_google"]?["name"] == "Google")
        stage.admin.change { $0.allowsDeletingSelf = false }
        let changed = try await stage.send(HTTPRequest(.get, stage.server.base + "/v1/environment")).json
        #expect(changed["user_settings"]?["actions"]?["delete_self"] == false)
    }

    @Test func aResetForgetsAllButTheKeys() async throws {
        let stage = try Stage()
        let device = stage.device()
        try await device.signUp()
        stage.admin.change { $0.allowsNativeAPI = false }
        try stage.server.panel.reset()
        #expect(try stage.admin.userCount() == 0)
        #expect(try await device.get("/client").response == .null)
        #expect(try await stage.backend(.get, "/users/count").json["total_count"] == 0)
    }

    @Test func thePublishableKeyNamesTheServer() throws {
        let stage = try Stage()
        let key = stage.server.emulator.publishableKey
        let host = try #require(Base64.decode(key.dropFirst("pk_test_".count)))
        #expect(String(decoding: host, as: UTF8.self) == "127.0.0.1:\(stage.server.port)$")
        #expect(stage.server.emulator.variables["secret_key"]?.string == stage.server.emulator.secretKey.reveal())
    }
}
