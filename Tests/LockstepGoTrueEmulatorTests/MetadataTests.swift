import LockstepEmulation
import LockstepEmulatorTestSupport
import LockstepGoTrueEmulator
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import LockstepTokens
import Testing

/// `null` members of user data: a new user keeps them, and a merge removes them (`internal/models/user.go`).
@Suite(.limitedConcurrency)
struct MetadataTests {
    private static let data: JSON = ["name": "Ada", "team": .null]

    @Test func guestKeepsItsMetadata() async throws {
        let emulator = try TestEmulator()
        let guest = try await emulator.post("/signup", ["data": Self.data])
        #expect(guest.json["user"]?["user_metadata"] == Self.data)
        #expect(TestEmulator.claims(guest["access_token"])["user_metadata"] == Self.data)
        #expect(try await emulator.get("/user", bearer: guest["access_token"]).json["user_metadata"] == Self.data)
        let merged = try await emulator.put("/user", ["data": ["team": .null, "age": 36]], bearer: guest["access_token"])
        #expect(merged.json["user_metadata"] == ["age": 36, "name": "Ada"])
    }

    /// The access token contains the metadata, so it is as large as the metadata.
    @Test(arguments: [32 << 10, 1 << 20])
    func aUserWithLargeMetadataNeedsALargerLimitOfHeaders(_ limit: Int) async throws {
        let emulator = try TestEmulator {
            $0.mail.confirmsByItself = true
            $0.limits.headerBytes = limit
        }
        let data: JSON = ["notes": .string(String(repeating: "a", count: 200_000))]
        let session = try await emulator.post(
            "/signup", ["email": "ada@example.com", "password": "Correct-Horse-1", "data": data])
        #expect(session.status == 200)
        let signedIn = try await emulator.post(
            "/token?grant_type=password", ["email": "ada@example.com", "password": "Correct-Horse-1"])
        let user = try await emulator.get("/user", bearer: signedIn["access_token"])
        if limit == 1 << 20 {
            #expect(user.status == 200)
            #expect(user.json["user_metadata"]?["notes"] == data["notes"])
            let changed = try await emulator.put("/user", ["data": ["team": "a"]], bearer: signedIn["access_token"])
            #expect(changed.status == 200)
        } else {
            #expect(user.status == 431)
        }
    }

    @Test func invitedUserKeepsItsMetadata() async throws {
        let emulator = try TestEmulator()
        let invited = try await emulator.post("/invite", ["email": "ada@example.com", "data": Self.data], bearer: emulator.admin)
        #expect(invited.json["user_metadata"] == Self.data)
        let link: JSON = ["type": "invite", "email": "eve@example.com", "data": Self.data]
        #expect(try await emulator.post("/admin/generate_link", link, bearer: emulator.admin).json["user_metadata"] == Self.data)
    }

    /// If an identity is created from the data, the merge follows immediately, in a map that both share.
    ///
    /// So the response shows them in neither.
    ///
    /// The row of the identity, which was written before, keeps them.
    @Test func signUpResponseOmitsTheMetadata() async throws {
        let emulator = try TestEmulator { $0.mail.confirmsByItself = true }
        let body: JSON = ["email": "ada@example.com", "password": "Correct-Horse-1", "data": Self.data]
        let session = try await emulator.post("/signup", body)
        let user = try #require(session.json["user"])
        #expect(user["user_metadata"]?.object?.contains { $0.name == "team" } == false)
        #expect(user["user_metadata"]?["name"] == "Ada")
        let answered = try #require(user["identities"]?.array?.first?["identity_data"]?.object)
        #expect(!answered.contains { $0.name == "team" } && answered["name"] == "Ada")
        #expect(answered["email_verified"] == true)
        let stored = try await emulator.get("/user", bearer: session["access_token"]).json["identities"]?[0]?["identity_data"]
        #expect(stored?.object?.contains { $0.name == "team" && $0.value.isNull } == true)
        #expect(stored?["email_verified"] == false)
    }

    /// A sign-up by phone also has one map.
    @Test func phoneSignUpResponseOmitsTheMetadata() async throws {
        let emulator = try TestEmulator()
        let body: JSON = ["phone": "4915112345678", "password": "Correct-Horse-1", "data": Self.data]
        let user = try await emulator.post("/signup", body)
        #expect(user.status == 200)
        let answered = try #require(user.json["identities"]?[0]?["identity_data"]?.object)
        #expect(!answered.contains { $0.name == "team" } && answered["name"] == "Ada")
    }

    /// The identity of a user with an unconfirmed address is loaded, so the response shows the stored one.
    @Test func repeatedSignUpShowsTheStoredIdentity() async throws {
        let emulator = try TestEmulator()
        let body: JSON = ["email": "ada@example.com", "password": "Correct-Horse-1", "data": Self.data]
        let first = try await emulator.post("/signup", body)
        #expect(first.json["identities"]?[0]?["identity_data"]?["email_verified"] == false)
        emulator.administrator.change { $0.mail.confirmsByItself = true }
        let second = try await emulator.post("/signup", body)
        let identities = try #require(second.json["user"]?["identities"]?.array)
        #expect(identities.count == 1 && identities[0]["identity_data"]?["email_verified"] == false)
        #expect(identities[0]["identity_data"]?.object?.contains { $0.name == "team" } == true)
        #expect(second.json["user"]?["user_metadata"]?["email_verified"] == true)
        #expect(second.json["user"]?["id"] == first.json["id"])
    }

    /// The response to an ID token shows the identities as they were loaded.
    ///
    /// The rows contain the new data.
    @Test func responseShowsTheIdentityBeforeTheUpdate() async throws {
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
