import LockstepCrypto
import LockstepEmulation
import LockstepFirebaseEmulator
import LockstepPrimitives
import LockstepTestConcurrency
import LockstepTokens
import Testing

/// Identities of other providers, verified like in production.
@Suite(.limitedConcurrency)
struct ProviderTests {
    private static let issuer = "https://appleid.example.test"
    private static let audience = "com.example.app"

    /// An issuer with its own key, and an emulator that trusts it.
    private struct World {
        let emulator: TestEmulator
        let key: SigningKey

        init(_ change: (inout FirebaseSettings) -> Void = { _ in }) throws {
            let key = SigningKey.p256(try P256PrivateKey.generate(), id: "issuer-1")
            self.key = key
            emulator = try TestEmulator { settings in
                settings.identityProviders["apple.com"] = TrustedIssuer(
                    issuer: issuer, audiences: [audience], keys: JSONWebKeySet(publishing: [key]).json, needsNonce: true)
                change(&settings)
            }
        }

        func token(_ changes: JSONObject = [:], signedBy other: SigningKey? = nil) throws -> String {
            let now = emulator.server.environment.now.seconds
            var claims: JSONObject = [
                "iss": .string(issuer), "aud": .string(audience), "sub": "apple-1", "iat": .int(now), "exp": .int(now + 600),
                "nonce": .string(Hex.encode(HashFunction.sha256.digest("raw-nonce"))), "email": "ada@example.com",
                "email_verified": "true",
            ]
            for (name, value) in changes { claims[name] = value.isNull ? nil : value }
            return try TokenWriter.sign(claims, with: other ?? key)
        }

        func signIn(_ token: String, nonce: String? = "raw-nonce", _ more: JSONObject = [:]) async throws
            -> TestEmulator.TestResponse
        {
            var pairs = [(name: "providerId", value: "apple.com"), (name: "id_token", value: token)]
            if let nonce { pairs.append((name: "nonce", value: nonce)) }
            var body: JSONObject = ["requestUri": "http://localhost", "postBody": .string(Percent.encodeForm(pairs))]
            for (name, value) in more { body[name] = value }
            return try await emulator.call("accounts:signInWithIdp", .object(body))
        }
    }

    @Test func repeatedTokenSignsInTheSameUser() async throws {
        let world = try World()
        let first = try await world.signIn(try world.token())
        #expect(first.json["isNewUser"] == true)
        #expect(first.json["emailVerified"] == true)
        let second = try await world.signIn(try world.token())
        #expect(second.json["isNewUser"] == nil)
        #expect(second["localId"] == first["localId"])
    }

    @Test func badTokensAreRejected() async throws {
        let world = try World()
        let stranger = SigningKey.p256(try P256PrivateKey.generate(), id: "issuer-1")
        let past = JSON.int(world.emulator.server.environment.now.seconds - 120)
        let bad = [
            try world.token(signedBy: stranger), try world.token(["aud": "com.other.app"]),
            try world.token(["iss": "https://evil.example"]), try world.token(["exp": past]), try world.token(["sub": .null]),
            "not a token", #"{"sub":"apple-1"}"#,
        ]
        for token in bad { #expect(try await world.signIn(token).code == "INVALID_IDP_RESPONSE") }
        #expect(try world.emulator.admin.userCount() == 0)
    }

    /// A SAML response in the JSON format of Firebase's emulator is unsigned.
    ///
    /// A token in the same request does not verify it.
    @Test(arguments: ["google.com", "saml.corp"])
    func strictModeRejectsUnsignedSAML(_ provider: String) async throws {
        let issuer = Self.issuer
        let world = try World { settings in
            settings.identityProviders[provider] = settings.identityProviders["apple.com"]
            settings.identityProviders[provider]?.needsNonce = false
        }
        try world.emulator.admin.createUser(email: "victim@example.com")
        let response = #"{"assertion":{"subject":{"nameId":"victim@example.com"},"attributeStatements":{"role":"owner"}}}"#
        let token = try world.token(["iss": .string(issuer), "nonce": .null, "email": .null])
        let bare = [(name: "providerId", value: provider), (name: "id_token", value: token)]
        for (pairs, isTaken) in [(bare + [(name: "SAMLResponse", value: response)], false), (bare, provider == "google.com")] {
            let signIn = try await world.emulator.call(
                "accounts:signInWithIdp", ["requestUri": "http://localhost", "postBody": .string(Percent.encodeForm(pairs))])
            #expect(signIn.code == (isTaken ? nil : "INVALID_IDP_RESPONSE"), "\(pairs.count)")
        }
        #expect(try world.emulator.admin.user(email: "victim@example.com")?.providers == [])
    }

    @Test func nonceMustMatchItsHash() async throws {
        let world = try World()
        #expect(try await world.signIn(try world.token(), nonce: nil).code == "MISSING_OR_INVALID_NONCE")
        #expect(try await world.signIn(try world.token(), nonce: "another").code == "MISSING_OR_INVALID_NONCE")
        #expect(try await world.signIn(try world.token(["nonce": .null])).code == "MISSING_OR_INVALID_NONCE")
        let bare = try world.token(["nonce": "raw-nonce"])
        #expect(try await world.signIn(bare).code == "MISSING_OR_INVALID_NONCE")
    }

    @Test func unconfiguredProviderIsRejected() async throws {
        let world = try World { $0.identityProviders = [:] }
        #expect(try await world.signIn(try world.token()).code == "OPERATION_NOT_ALLOWED")
    }

    @Test func ownersSignInRevokesEarlierAccess() async throws {
        let world = try World()
        let attacker = try await world.emulator.signUp()
        world.emulator.pass(5)
        let owner = try await world.signIn(try world.token())
        #expect(owner["localId"] == attacker["localId"] && owner.json["emailVerified"] == true)
        #expect(try await world.emulator.signIn().code == "INVALID_LOGIN_CREDENTIALS")
        #expect(try await world.emulator.lookup(attacker["idToken"]).code == "TOKEN_EXPIRED")
        #expect(try await world.emulator.refresh(attacker["refreshToken"]).code == "TOKEN_EXPIRED")
        #expect(try await world.emulator.refresh(owner["refreshToken"]).status == 200)
        let user = try await world.emulator.lookup(owner["idToken"]).json["users"]?[0]
        #expect(user?["providerUserInfo"]?.array?.compactMap { $0["providerId"] } == ["apple.com"])
    }

    /// Published examples of production's tokens have a signature of zeros, which is not a whole number of bytes in base64url.
    @Test func emulatorModeIgnoresTheSignature() async throws {
        let emulator = try TestEmulator(.emulator)
        let claims: JSON = ["iss": "accounts.google.com", "sub": "115113236566683398301", "email": "ada@example.com"]
        let parts = [#"{"alg":"RS256","typ":"JWT"}"#, claims.text()].map { Base64.encode($0.utf8, .url) }
        for (signature, status) in [(String(repeating: "0", count: 342), 200), ("", 200), ("0.0", 400), ("0=", 400)] {
            let token = parts.joined(separator: ".") + "." + signature
            let post = Percent.encodeForm([("providerId", "google.com"), ("id_token", token)])
            let body: JSON = ["requestUri": "http://localhost", "postBody": .string(post)]
            #expect(try await emulator.call("accounts:signInWithIdp", body).status == status, "\(signature)")
        }
        let strict = try World()
        let signed = try strict.token()
        let zeros = signed.split(separator: ".").dropLast().joined(separator: ".") + "." + String(repeating: "0", count: 342)
        #expect(try await strict.signIn(zeros).code == "INVALID_IDP_RESPONSE")
    }

    @Test func textFalseIsReadAsFalse() async throws {
        let world = try World()
        let response = try await world.signIn(try world.token(["email_verified": "false"]))
        #expect(response.json["emailVerified"] == false)
    }

    @Test func reauthenticationCreatesNoUser() async throws {
        let world = try World()
        #expect(try await world.signIn(try world.token(), ["autoCreate": false]).code == "USER_NOT_FOUND")
        #expect(try world.emulator.admin.userCount() == 0)
    }

    @Test func guestKeepsTheIDAndTakenIdentityIsAConflict() async throws {
        let world = try World()
        let guest = try await world.emulator.call("accounts:signUp")
        let linked = try await world.signIn(try world.token(), ["idToken": .string(guest["idToken"])])
        #expect(linked["localId"] == guest["localId"])
        let other = try await world.emulator.call("accounts:signUp")
        let conflict = try await world.signIn(try world.token(), ["idToken": .string(other["idToken"])])
        #expect(conflict.code == "FEDERATED_USER_ID_ALREADY_LINKED")
        let asked = try await world.signIn(
            try world.token(), ["idToken": .string(other["idToken"]), "returnIdpCredential": true])
        #expect(asked.status == 200)
        #expect(asked["errorMessage"] == "FEDERATED_USER_ID_ALREADY_LINKED")
        #expect(asked.json["idToken"] == nil)
    }

    @Test func customTokensNeedAKnownKey() async throws {
        let key = SigningKey.rsa(try RSAPrivateKey.generate(), id: "server")
        let emulator = try TestEmulator { $0.customTokenKeys = JSONWebKeySet(publishing: [key]).json }
        let now = emulator.server.environment.now.seconds
        let claims: JSONObject = [
            "iss": "server@project.iam.gserviceaccount.com", "iat": .int(now),
            "aud": "https://identitytoolkit.googleapis.com/google.identity.identitytoolkit.v1.IdentityToolkit",
            "exp": .int(now + 600), "uid": "user-1", "claims": ["role": "editor"],
        ]
        let good = try TokenWriter.sign(claims, with: key)
        let response = try await emulator.call("accounts:signInWithCustomToken", ["token": .string(good)])
        #expect(try UnverifiedToken(response["idToken"]).claims["role"] == "editor")
        let unsigned = TokenWriter.unsigned(claims)
        let refusal = try await emulator.call("accounts:signInWithCustomToken", ["token": .string(unsigned)])
        #expect(refusal.code == "INVALID_CUSTOM_TOKEN")
    }
}
