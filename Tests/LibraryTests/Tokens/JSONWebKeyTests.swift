import LockstepPrimitives
import LockstepTestSupport
import LockstepTokens
import Testing

@Suite struct JSONWebKeyTests {
    @Test func keySetsIgnoreUnknownKeys() throws {
        let vector = try TokenVector.of(.es256)
        let json: JSON = [
            "keys": [
                ["kty": "EC", "crv": "P-999", "x": "AA", "y": "AA"], "no key", ["kid": "no type"], vector.publicKey.json,
                ["kty": "RSA", "use": "enc", "n": "AQAB", "e": "AQAB"], ["kty": "RSA", "n": "AQAB", "e": "AQAB"],
            ]
        ]
        let set = try JSONWebKeySet(json.bytes())
        #expect(set.keys.count == 4)
        #expect(set.verificationKeys.map(\.id) == [vector.publicKey.id])
        #expect(try TokenVerifier(keys: set.verificationKeys, rules: .vectors).verify(vector.token, at: noon).subject == "user-1")
        #expect(try JSONWebKeySet(set.json) == set)
    }

    @Test(arguments: ["", "[]", "{}", #"{"keys":1}"#, "no JSON"])
    func keySetsAreObjectsWithKeys(text: String) {
        #expect(tokenErrorCode { try JSONWebKeySet(Array(text.utf8)) } == .invalidKey)
    }

    @Test func publishesNoPrivateMember() throws {
        let keys = try TokenVector.all().map { try $0.privateKey.signingKey() }
        let set = JSONWebKeySet(publishing: keys)
        #expect(set.keys.count == 5)
        for key in set.keys {
            #expect(!key.isPrivate)
            #expect(["d", "k", "p", "q", "dp", "dq", "qi"].allSatisfy { key.members[$0] == nil })
            #expect(key.members["use"] == "sig")
        }
        #expect(tokenErrorCode { try JSONWebKey(keys[0].verificationKey) } == .invalidKey)
    }

    @Test func printsNoKeys() throws {
        for vector in try TokenVector.all() {
            let key = try vector.privateKey.signingKey()
            var dumped = "\(key) \(vector.privateKey) \(String(reflecting: key))"
            dump(key, to: &dumped)
            dump(vector.privateKey, to: &dumped)
            for name in ["d", "k", "p"] {
                if let secret = vector.privateKey.members[name]?.string { #expect(!dumped.contains(secret)) }
            }
        }
    }

    @Test(
        arguments: [
            ["kty": "oct", "k": "AAAA", "alg": "RS256"], ["kty": "RSA", "n": "AQAB", "e": "AQAB", "alg": "HS256"],
            ["kty": "oct", "k": "AAAA", "alg": "none"], ["kty": "oct", "k": "AAAA", "alg": 1], ["kty": "oct"],
            ["kty": "oct", "k": "!"],
            ["kty": "oct", "k": ""], ["kty": "oct", "k": "AAAA", "key_ops": ["encrypt"]],
            ["kty": "oct", "k": "AAAA", "use": "enc"],
            ["kty": "OKP", "crv": "X25519", "x": "AAAA"], ["kty": "EC", "x": "AAAA", "y": "AAAA"],
        ] as [JSON])
    func rejectsKeysThatCannotVerify(json: JSON) throws {
        #expect(tokenErrorCode { try JSONWebKey(json).verificationKey() } == .invalidKey)
    }

    @Test func rejectsMismatchedKeyHalves() throws {
        for algorithm in [SignatureAlgorithm.es256, .edDSA] {
            var members = try TokenVector.of(algorithm).privateKey.members
            let other = try JSONWebKey(
                private: algorithm == .es256 ? .makeP256() : .makeEd25519(randomness: SeededRandomness(seed: 1)))
            members["d"] = other.members["d"]
            #expect(tokenErrorCode { try JSONWebKey(.object(members)).signingKey() } == .invalidKey)
        }
        var rsa = try TokenVector.of(.rs256).privateKey.members
        rsa["d"] = "AQAB"
        rsa["dp"] = "AQAB"
        #expect(tokenErrorCode { try JSONWebKey(.object(rsa)).signingKey() } == .invalidKey)
        rsa["d"] = nil
        #expect(tokenErrorCode { try JSONWebKey(.object(rsa)).signingKey() } == .invalidKey)
    }

    @Test func makesKeysOfEveryKind() throws {
        let keys = [
            try SigningKey.makeRSA(id: "r"), try SigningKey.makeP256(id: "p"),
            try SigningKey.makeEd25519(id: "e", randomness: SeededRandomness(seed: 3)),
        ]
        #expect(keys.map(\.algorithm) == [.rs256, .es256, .edDSA])
        let verifier = TokenVerifier(
            keys: JSONWebKeySet(publishing: keys).verificationKeys, rules: .few)
        for key in keys {
            #expect(try verifier.verify(TokenWriter.sign(["iss": "issuer", "sub": "a"], with: key), at: noon).subject == "a")
        }
    }
}
