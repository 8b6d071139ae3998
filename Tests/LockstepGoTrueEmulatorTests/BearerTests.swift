import LockstepEmulation
import LockstepGoTrueEmulator
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import LockstepTokens
import Testing

/// Keys of access tokens, by name and by algorithm.
@Suite(.limitedConcurrency)
struct BearerTests {
    static let keys = """
        [{"kty":"EC","crv":"P-256","x":"MGUe6Q0ZG7WesmNWpCHPMYoUUG82H571-unWN9popcQ",
        "y":"9ypR7U2A7te-r_H8LlNVHPY4SXnwZS_IP7-M_63rxAE","d":"75kR4p0I_Bp2s3B72q_52QZby8P0OS1BxN6XJoTy3IY",
        "alg":"ES256","kid":"own","use":"sig","key_ops":["sign","verify"]}]
        """

    @Test(arguments: [("other", "other"), (nil, "<nil>")])
    func keyWithAnotherIDIsNotUsed(_ id: String?, _ name: String) async throws {
        let emulator = try TestEmulator { $0.tokens.keys = Secret(Self.keys) }
        let claims = try #require(TestEmulator.claims(try await emulator.person()["access_token"]).object)
        let element = try #require(try JSON.parse(Self.keys).array?.first?.object)
        var renamed = element
        renamed["kid"] = id.map(JSON.string)
        let key = try JSONWebKey(.object(renamed)).signingKey()
        let refused = try await emulator.get("/user", bearer: try TokenWriter.sign(claims, with: key))
        #expect(refused.status == 403 && refused.code == "bad_jwt")
        #expect(
            refused["msg"]
                == "invalid JWT: unable to parse or verify signature, token is unverifiable: error while executing keyfunc: unrecognized JWT kid \(name) for algorithm ES256"
        )
        let own = try JSONWebKey(.object(element)).signingKey()
        #expect(try await emulator.get("/user", bearer: try TokenWriter.sign(claims, with: own)).status == 200)
    }

    /// The secret in addition to keys in `GOTRUE_JWT_KEYS`.
    ///
    /// One of them is for HS256, so the server accepts the algorithm.
    private func emulatorWithSharedKey() throws -> TestEmulator {
        var keys = try #require(try JSON.parse(Self.keys).array)
        keys.append([
            "kty": "oct", "k": "YW5vdGhlci1zZWNyZXQtdGhhdC1pcy1sb25nLWVub3VnaA", "alg": "HS256", "kid": "shared",
            "key_ops": ["verify"],
        ])
        return try TestEmulator { $0.tokens.keys = Secret(JSON.array(keys).text()) }
    }

    /// `internal/api/auth.go`, `parseJWTClaims`: HS256 without a known `kid` falls back to `JWT_SECRET`, which need not be among the keys.
    @Test(arguments: [nil, "unheard-of", ""])
    func secretVerifiesTokensWithAnUnknownKeyID(_ id: String?) async throws {
        let emulator = try emulatorWithSharedKey()
        let token = try TokenWriter.sign(
            ["role": "service_role"], with: .secret(GoTrueSettings().tokens.secret, id: id))
        #expect(try await emulator.get("/admin/users", bearer: token).status == 200)
        let other = try TokenWriter.sign(["role": "service_role"], with: .secret("not-the-secret-of-this-server-at-all", id: id))
        let refused = try await emulator.get("/admin/users", bearer: other)
        #expect(refused.status == 403 && refused.code == "bad_jwt")
        #expect(refused["msg"].hasSuffix("token signature is invalid: signature is invalid"))
    }

    @Test func secretDoesNotVerifyTokensOfANamedKey() async throws {
        let emulator = try emulatorWithSharedKey()
        let named = try TokenWriter.sign(
            ["role": "service_role"], with: .secret("another-secret-that-is-long-enough", id: "shared"))
        #expect(try await emulator.get("/admin/users", bearer: named).status == 200)
        let mixed = try TokenWriter.sign(["role": "service_role"], with: .secret(GoTrueSettings().tokens.secret, id: "shared"))
        #expect(try await emulator.get("/admin/users", bearer: mixed).code == "bad_jwt")
    }

    /// `kid` selects the key, whatever the algorithm.
    ///
    /// Go's library then reports the wrong type.
    @Test func aKeyOfAnotherAlgorithmIsRejected() async throws {
        let emulator = try emulatorWithSharedKey()
        let claims: JSONObject = ["role": "service_role"]
        let prefix = "invalid JWT: unable to parse or verify signature, token signature is invalid: key is of invalid type: "
        let shared = try TokenWriter.sign(claims, with: .secret(GoTrueSettings().tokens.secret, id: "own"))
        let first = try await emulator.get("/admin/users", bearer: shared)
        #expect(first.status == 403 && first.code == "bad_jwt" && first["msg"] == prefix + "HMAC verify expects []byte")
        var element = try #require(try JSON.parse(Self.keys).array?.first?.object)
        element["kid"] = "shared"
        let key = try JSONWebKey(.object(element)).signingKey()
        let second = try await emulator.get("/admin/users", bearer: try TokenWriter.sign(claims, with: key))
        #expect(second.status == 403 && second["msg"] == prefix + "ECDSA verify expects *ecdsa.PublicKey")
    }

    /// Without a key for HS256, the server accepts HS256 only if `GOTRUE_JWT_VALID_METHODS` names it.
    @Test func validSigningMethodsAreASetting() async throws {
        let service = try TokenWriter.sign(["role": "service_role"], with: .secret(GoTrueSettings().tokens.secret))
        let strict = try TestEmulator { $0.tokens.keys = Secret(Self.keys) }
        let refused = try await strict.get("/admin/users", bearer: service)
        #expect(refused.status == 403 && refused["msg"].hasSuffix("token signature is invalid: signing method HS256 is invalid"))
        let settings = try GoTrueSettings(environment: [
            ("GOTRUE_JWT_KEYS", Self.keys), ("GOTRUE_JWT_VALID_METHODS", "ES256, HS256"),
        ])
        #expect(settings.notices.isEmpty)
        let open = try TestEmulator { $0.tokens = settings.tokens }
        #expect(try await open.get("/admin/users", bearer: service).status == 200)
    }
}
