import LockstepPrimitives
import LockstepTestSupport
import LockstepTokens
import Synchronization
import Testing

/// The trust of a key set in the issuer's responses and in a token's key id.
@Suite struct RemoteKeySetRefusalTests {
    let clock = ManualClock(base: FixedClock())
    let issuer = Issuer()
    var keys: RemoteKeySet {
        RemoteKeySet(clock: clock, fetch: { [issuer] in try issuer.answer() })
    }
    let rules = TokenRules.few

    /// The response of a GoTrue project with default settings: it signs with a shared secret.
    @Test(arguments: [#"{"keys":[]}"#, #"{"keys":[{"kty":"oct","k":"c2VjcmV0"}]}"#, #"{"keys":[{"kty":"new"}]}"#])
    func anIssuerWithoutPublicKeysIsNamed(_ response: String) async throws {
        let keys = RemoteKeySet(clock: clock, fetch: { Array(response.utf8) })
        let token = try TokenWriter.sign(["sub": "a"], with: .secret("shared"))
        #expect(await tokenErrorCode { try await keys.verify(token, rules: rules) } == .noPublicKeys)
        // A request within the pause gets the same response.
        #expect(await tokenErrorCode { try await keys.verify(token, rules: rules) } == .noPublicKeys)
    }

    /// Known keys stay known, because an empty set can be a temporary fault.
    @Test func emptySetKeepsKnownKeys() async throws {
        let isEmpty = Mutex(false)
        let keys = RemoteKeySet(
            clock: clock,
            fetch: { [issuer] in isEmpty.withLock { $0 } ? Array(#"{"keys":[]}"#.utf8) : try issuer.answer() })
        let token = try issuer.token()
        #expect(try await keys.verify(token, rules: rules).subject == "a")
        isEmpty.withLock { $0 = true }
        clock.advance(by: .seconds(601))
        #expect(try await keys.verify(token, rules: rules).subject == "a")
    }

    /// Firebase signs the tokens of all projects with the same keys, so the key does not identify the project.
    @Test func tokenOfAnotherProjectWithTheSameKeysIsRejected() async throws {
        let key = try SigningKey.makeRSA(id: "google")
        let keys = RemoteKeySet(clock: clock, fetch: { JSONWebKeySet(publishing: [key]).json.bytes() })
        let issuer = "https://securetoken.google.com/"
        let rules = TokenRules(issuers: [issuer + "ours"], audiences: ["ours"], requiresExpiry: false)
        func verdict(_ claims: JSONObject) async throws -> TokenError.Code? {
            let token = try TokenWriter.sign(claims, with: key)
            return await tokenErrorCode { try await keys.verify(token, rules: rules) }
        }
        #expect(try await verdict(["iss": .string(issuer + "ours"), "aud": "ours", "sub": "a"]) == nil)
        #expect(try await verdict(["iss": .string(issuer + "theirs"), "aud": "theirs", "sub": "a"]) == .wrongIssuer)
        #expect(try await verdict(["iss": .string(issuer + "theirs"), "aud": "ours", "sub": "a"]) == .wrongIssuer)
        #expect(try await verdict(["iss": .string(issuer + "ours"), "aud": "theirs", "sub": "a"]) == .wrongAudience)
        #expect(try await verdict(["aud": "ours", "sub": "a"]) == .missingClaim)
        #expect(try await verdict(["iss": .string(issuer + "ours"), "sub": "a"]) == .missingClaim)
    }

    @Test func unsignedTokensCauseNoRequest() async throws {
        let keys = keys
        let signed = try issuer.token().split(separator: ".")
        let critical = Base64.encode(#"{"alg":"ES256","crit":["b64"]}"#.utf8, .url)
        let unknown = Base64.encode(#"{"alg":"XS256"}"#.utf8, .url)
        for token in [TokenWriter.unsigned(["sub": "x"]), "\(critical).\(signed[1]).\(signed[2])", "\(unknown).\(signed[1])."] {
            #expect(await tokenErrorCode { try await keys.verify(token, rules: rules) } == .algorithmRefused)
            #expect(await tokenErrorCode { try await keys.verifySignature(of: token) } == .algorithmRefused)
        }
        #expect(issuer.count == 0)
    }

    /// A token's key id is a name to look up, never an address to fetch from.
    @Test func keyIDIsNeverUsedAsAnAddress() async throws {
        let keys = keys
        _ = try await keys.verify(issuer.token(), rules: rules)
        let names = [
            "../../etc/passwd", "/dev/null", "' OR 1=1 --", "http://127.0.0.1:1/keys", "key-1\u{0}", "", "key-1 ",
            String(repeating: "k", count: 2000),
        ]
        for name in names {
            let forged = try TokenWriter.sign(["sub": "x"], with: SigningKey.makeP256(id: name))
            #expect(await tokenErrorCode { try await keys.verify(forged, rules: rules) } == .unknownKey, "\(name.prefix(40))")
        }
        // The token contains the forger's own key under the name of the issuer's.
        let key = try SigningKey.makeP256(id: "key-1")
        let published = JSONWebKeySet(publishing: [key]).json["keys"]?[0] ?? .null
        for (field, value) in [
            ("jwk", published), ("jku", "http://127.0.0.1:1/keys"), ("x5u", "http://127.0.0.1:1/chain"), ("x5c", ["AAAA"]),
        ] as [(String, JSON)] {
            let forged = try TokenWriter.sign(["sub": "x"], with: key, header: ["alg": "", "kid": "", field: value])
            #expect(await tokenErrorCode { try await keys.verify(forged, rules: rules) } == .wrongSignature, "\(field)")
        }
        #expect(issuer.count == 1)
    }

    @Test func listedKeyVerifiesAndWithdrawnKeyDoesNot() async throws {
        let keys = keys
        let old = try issuer.token()
        #expect(try await keys.verify(old, rules: rules).subject == "a")
        try issuer.rotate(keepingTheOld: true)
        clock.advance(by: .seconds(600))
        #expect(try await keys.verify(try issuer.token(), rules: rules).subject == "a")
        #expect(try await keys.verify(old, rules: rules).subject == "a")
        issuer.withdrawTheOld()
        clock.advance(by: .seconds(600))
        #expect(await tokenErrorCode { try await keys.verify(old, rules: rules) } == .unknownKey)
        #expect(try await keys.verify(try issuer.token(), rules: rules).subject == "a")
        #expect(issuer.count == 3)
    }

    /// A response of ten megabytes is invalid, even if it is a key set.
    @Test func oversizedResponseKeepsTheOldKeysUntilTheyExpire() async throws {
        let isHuge = Mutex(false)
        let keys = RemoteKeySet(
            clock: clock, maximumAge: .seconds(7200),
            fetch: { [issuer] in
                let response = try issuer.answer()
                return isHuge.withLock { $0 } ? response + Array(repeating: UInt8(ascii: " "), count: 10 << 20) : response
            })
        let old = try issuer.token()
        _ = try await keys.verify(old, rules: rules)
        isHuge.withLock { $0 = true }
        try issuer.rotate()
        clock.advance(by: .seconds(7199))
        #expect(try await keys.verify(old, rules: rules).subject == "a")
        let new = try issuer.token()
        #expect(await tokenErrorCode { try await keys.verify(new, rules: rules) } == .keysUnavailable)
        #expect(issuer.count == 2)
        // After their lifetime the old keys are invalid. An attacker who blocks the new keys cannot keep a withdrawn one valid.
        clock.advance(by: .seconds(1))
        #expect(await tokenErrorCode { try await keys.verify(old, rules: rules) } == .keysUnavailable)
        isHuge.withLock { $0 = false }
        clock.advance(by: .seconds(30))
        #expect(try await keys.verify(new, rules: rules).subject == "a")
        #expect(await tokenErrorCode { try await keys.verify(old, rules: rules) } == .unknownKey)
    }

    @Test(arguments: ["<html>Bad gateway</html>", "", "{}", "[]", #"{"keys":{}}"#, #"{"keys":"#])
    func malformedKeySetKeepsTheOldKeys(_ response: String) async throws {
        let isBroken = Mutex(false)
        let keys = RemoteKeySet(
            clock: clock,
            fetch: { [issuer] in isBroken.withLock { $0 } ? Array(response.utf8) : try issuer.answer() })
        let token = try issuer.token()
        _ = try await keys.verify(token, rules: rules)
        isBroken.withLock { $0 = true }
        clock.advance(by: .seconds(3600))
        #expect(try await keys.verify(token, rules: rules).subject == "a")
    }
}
