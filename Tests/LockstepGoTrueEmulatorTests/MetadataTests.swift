import LockstepEmulation
import LockstepEmulatorTestSupport
import LockstepGoTrueEmulator
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import LockstepTokens
import Testing

/// `null` members of user data: a new user keeps them, a merge takes them out (`internal/models/user.go`).
@Suite(.limitedConcurrency)
struct MetadataTests {
    private static let data: JSON = ["name": "Ada", "team": .null]

    @Test func aGuestKeepsThem() async throws {
        let emulator = try TestEmulator()
        let guest = try await emulator.post("/signup", ["data": Self.data])
        #expect(guest.json["user"]?["user_metadata"] == Self.data)
        #expect(TestEmulator.claims(guest["access_token"])["user_metadata"] == Self.data)
        #expect(try await emulator.get("/user", bearer: guest["access_token"]).json["user_metadata"] == Self.data)
        let merged = try await emulator.put("/user", ["data": ["team": .null, "age": 36]], bearer: guest["access_token"])
        #expect(merged.json["user_metadata"] == ["age": 36, "name": "Ada"])
    }

    @Test func whoIsInvitedKeepsThem() async throws {
        let emulator = try TestEmulator()
        let invited = try await emulator.post("/invite", ["email": "ada@example.com", "data": Self.data], bearer: emulator.admin)
        #expect(invited.json["user_metadata"] == Self.data)
        let link: JSON = ["type": "invite", "email": "eve@example.com", "data": Self.data]
        #expect(try await emulator.post("/admin/generate_link", link, bearer: emulator.admin).json["user_metadata"] == Self.data)
    }

    /// With an identity made of the data the merge follows at once: the identity keeps them, the user does not.
    @Test func whoSignsUpLosesThem() async throws {
        let emulator = try TestEmulator()
        let body: JSON = ["email": "ada@example.com", "password": "Correct-Horse-1", "data": Self.data]
        let user = try await emulator.post("/signup", body)
        #expect(user.json["user_metadata"]?.object?.contains { $0.name == "team" } == false)
        #expect(user.json["user_metadata"]?["name"] == "Ada")
        let identity = user.json["identities"]?.array?.first?["identity_data"]
        #expect(identity?.object?.contains { $0.name == "team" } == true && identity?["name"] == "Ada")
    }

    /// The answer of an ID token shows the identities as they were loaded; the rows have the new data.
    @Test func anAnswerShowsTheIdentityAsItWas() async throws {
        let key = try SigningKey.makeRSA(id: "1")
        let issuer = try IssuerServer.start(publishing: JSONWebKeySet(publishing: [key]).json, EmulatorOptions())
        defer { issuer.stop() }
        let emulator = try TestEmulator {
            $0.providers["keycloak"] = ProviderSettings(clients: ["app"], issuer: issuer.base)
        }
        let now = emulator.server.environment.now.seconds
        func signIn(_ name: String) async throws -> TestEmulator.TestResponse {
            let claims: JSONObject = [
                "iss": .string(issuer.base), "aud": "app", "sub": "1", "iat": .int(now), "exp": .int(now + 600),
                "email": "ada@example.com", "email_verified": true, "name": .string(name),
            ]
            let token = try TokenWriter.sign(claims, with: key)
            return try await emulator.post("/token?grant_type=id_token", ["provider": "keycloak", "id_token": .string(token)])
        }
        func name(_ user: JSON?) -> String? { user?["identities"]?.array?.first?["identity_data"]?["name"]?.string }
        #expect(try await name(signIn("Ada").json["user"]) == "Ada")
        let again = try await signIn("Countess")
        #expect(name(again.json["user"]) == "Ada")
        #expect(again.json["user"]?["user_metadata"]?["name"] == "Countess")
        #expect(try await name(emulator.get("/user", bearer: again["access_token"]).json) == "Countess")
    }
}
