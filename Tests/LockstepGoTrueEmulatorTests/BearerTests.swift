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
    private static let keys = """
        [{"kty":"EC","crv":"P-256","x":"MGUe6Q0ZG7WesmNWpCHPMYoUUG82H571-unWN9popcQ",
        "y":"9ypR7U2A7te-r_H8LlNVHPY4SXnwZS_IP7-M_63rxAE","d":"75kR4p0I_Bp2s3B72q_52QZby8P0OS1BxN6XJoTy3IY",
        "alg":"ES256","kid":"own","use":"sig","key_ops":["sign","verify"]}]
        """

    @Test(arguments: [("other", "other"), (nil, "<nil>")])
    func aKeyOfAnotherNameIsNotTried(_ id: String?, _ name: String) async throws {
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
}
