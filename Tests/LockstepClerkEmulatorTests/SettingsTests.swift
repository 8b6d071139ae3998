import Foundation
import LockstepEmulation
import LockstepHTTP
import LockstepPrimitives
import LockstepSQLite
import LockstepTestConcurrency
import Testing

@testable import LockstepClerkEmulator

/// Settings from text, and their values in the environment.
@Suite(.limitedConcurrency)
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
    func unusableInputIsNamed(text: String, code: ClerkSettingsError.Code) {
        #expect { try ClerkSettings(text: text) } throws: { ($0 as? ClerkSettingsError)?.code == code }
    }

    @Test func environmentFollowsTheSettings() async throws {
        let emulator = try TestEmulator {
            $0.phoneNumber = .off
            $0.asksAgain = true
            $0.providers = [IdentityProvider(name: "google", issuer: "https://accounts.google.com")]
        }
        let environment = try await emulator.send(HTTPRequest(.get, emulator.server.base + "/v1/environment")).json
        let attributes = environment["user_settings"]?["attributes"]
        #expect(attributes?["phone_number"]?["enabled"] == false && attributes?["email_address"]?["required"] == true)
        #expect(environment["auth_config"]?["reverification"] == true)
        #expect(environment["user_settings"]?["social"]?["oauth_google"]?["name"] == "Google")
        emulator.admin.change { $0.allowsDeletingSelf = false }
        let changed = try await emulator.send(HTTPRequest(.get, emulator.server.base + "/v1/environment")).json
        #expect(changed["user_settings"]?["actions"]?["delete_self"] == false)
    }

    @Test func resetDeletesEverythingButTheKeys() async throws {
        let emulator = try TestEmulator()
        let device = emulator.device()
        try await device.signUp()
        emulator.admin.change { $0.allowsNativeAPI = false }
        try emulator.server.panel.reset()
        #expect(try emulator.admin.userCount() == 0)
        #expect(try await device.get("/client").response == .null)
        #expect(try await emulator.backend(.get, "/users/count").json["total_count"] == 0)
    }

    @Test func rateLimitsApplyIfEnabled() async throws {
        let emulator = try TestEmulator { $0.limitsRates = true }
        // All at the same time, because the limit also refills in real time.
        let answers = try await withThrowingTaskGroup(of: TestResponse.self) { group in
            for _ in 0..<16 { group.addTask { try await emulator.device().post("/client/sign_ups") } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        let refused = try #require(answers.first { $0.status == 429 })
        #expect(refused.code == "too_many_requests" && refused.headers["Retry-After"] != nil)
        emulator.pass(60)
        #expect(try await emulator.device().post("/client/sign_ups").status == 200)
    }

    @Test func backendRequestsHaveTheLimitOfTheInstance() async throws {
        let emulator = try TestEmulator {
            $0.limitsRates = true
            $0.backendRateLimit = 30
        }
        emulator.server.panel.clock.stop()
        func refusals(_ count: Int, _ method: HTTPMethod, _ path: String, _ body: JSON? = nil) async throws -> [TestResponse] {
            var answers: [TestResponse] = []
            for _ in 0..<count { answers.append(try await emulator.backend(method, path, body)) }
            return answers.filter { $0.status == 429 }
        }
        let made = try await emulator.backend(
            .post, "/users", ["email_address": ["ada@example.com"], "password": "correct horse"])
        let ada = "/users/\(made.json["id"]?.string ?? "")"
        let changes = try await refusals(12, .patch, ada, ["first_name": "Ada"])
        #expect(changes.count == 2 && changes.first?.code == "too_many_requests")
        #expect(changes.first?.headers["Retry-After"] == "1")
        // 11 requests of 30 were counted.
        #expect(try await refusals(25, .get, "/users").count == 6)
        #expect(try await refusals(5, .get, "/jwks").isEmpty)
        emulator.pass(10)
        #expect(try await refusals(31, .get, "/users").count == 1)
        emulator.pass(10)
        #expect(try await refusals(26, .post, "/invitations/bulk", []).count == 1)
        emulator.pass(3600)
        #expect(try await refusals(1, .post, "/invitations/bulk", []).isEmpty)
    }

    @Test func providersAreConfiguredByText() throws {
        let settings = try ClerkSettings(
            text: """
                OAUTH_PROVIDERS=apple,linkedin_oidc
                OAUTH_APPLE_AUDIENCES=com.example.app, com.example.web
                OAUTH_APPLE_KEYS={"keys":[]}
                OAUTH_LINKEDIN_OIDC_ISSUER=https://www.linkedin.com/oauth
                """)
        #expect(settings.providers.map(\.name) == ["apple", "linkedin_oidc"])
        #expect(settings.providers.map(\.issuer) == ["https://appleid.apple.com", "https://www.linkedin.com/oauth"])
        #expect(settings.providers[0].audiences == ["com.example.app", "com.example.web"])
        #expect { try ClerkSettings(text: "OAUTH_APPLE_KEYS={}") } throws: { ($0 as? ClerkSettingsError)?.code == .badValue }
    }

    @Test func aFolderKeepsUsersAndKeys() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("clerk-\(SystemRandomness().text(12))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let first = try TestEmulator(storage: .folder(folder.path), hasOwnKey: true)
        let device = first.device()
        try await device.signUp()
        let keys = try await first.backend(.get, "/jwks").json
        let secret = first.server.emulator.secretKey
        first.server.stop()
        let second = try TestEmulator(storage: .folder(folder.path), hasOwnKey: true)
        #expect(second.server.emulator.secretKey == secret)
        #expect(try await second.backend(.get, "/jwks").json == keys)
        let again = second.device()
        again.token = device.token
        #expect(try await again.sessionToken().status == 200)
    }

    @Test func givenKeyIsUsedByLaterStarts() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("clerk-\(SystemRandomness().text(12))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let first = try TestEmulator(storage: .folder(folder.path))
        let keys = try await first.backend(.get, "/jwks").json
        first.server.stop()
        let second = try TestEmulator(storage: .folder(folder.path), hasOwnKey: true)
        #expect(try await second.backend(.get, "/jwks").json == keys)
    }

    /// Devices have tokens of an earlier emulator that stored them completely, the current and the former ones.
    ///
    /// Their users are known, too.
    @Test func aFolderOfAnEarlierVersionKeepsItsDevices() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("clerk-\(SystemRandomness().text(12))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let first = try TestEmulator(storage: .folder(folder.path), hasOwnKey: true) { $0.asksNewClients = true }
        let device = first.device()
        _ = try await device.post("/client")
        let former = device.token
        try await device.signUp()
        first.server.stop()
        do {
            let header = try #require(former.split(separator: ".").first) + "."
            var database = try SQLiteConnection(.file(folder.appendingPathComponent("clerk.sqlite").path))
            try database.script(
                """
                UPDATE clients SET token = '\(header)' || token;
                UPDATE client_tokens SET token = '\(header)' || token;
                ALTER TABLE client_tokens RENAME TO strict;
                CREATE TABLE client_tokens (
                    token TEXT PRIMARY KEY, client_id TEXT NOT NULL REFERENCES clients ON DELETE CASCADE, retired_at INTEGER
                ) WITHOUT ROWID;
                INSERT INTO client_tokens SELECT token, client_id, retired_at FROM strict;
                DROP TABLE strict;
                INSERT INTO client_tokens SELECT token, id, NULL FROM clients;
                CREATE TABLE trusted_clients (client_id TEXT NOT NULL, user_id TEXT NOT NULL, PRIMARY KEY (client_id, user_id));
                INSERT INTO trusted_clients SELECT client_id, user_id FROM sessions;
                ALTER TABLE clients DROP COLUMN trusted_users;
                """)
            let version = try #require(try database.value("PRAGMA user_version", as: Int.self))
            try database.script("PRAGMA user_version = \(version - 3)")
        }
        let second = try TestEmulator(storage: .folder(folder.path), hasOwnKey: true) { $0.asksNewClients = true }
        let again = second.device()
        for token in [former, device.token] {
            again.token = token
            #expect(try await again.sessionToken().status == 200)
        }
        _ = try await again.call(.delete, "/client/sessions")
        #expect(try await again.signIn()["status"] == "complete")
    }

    @Test func thePublishableKeyNamesTheServer() throws {
        let emulator = try TestEmulator()
        let key = emulator.server.emulator.publishableKey
        let host = try #require(Base64.decode(key.dropFirst("pk_test_".count)))
        #expect(String(decoding: host, as: UTF8.self) == "127.0.0.1:\(emulator.server.port)$")
        #expect(emulator.server.emulator.variables["secret_key"]?.string == emulator.server.emulator.secretKey.reveal())
    }
}
