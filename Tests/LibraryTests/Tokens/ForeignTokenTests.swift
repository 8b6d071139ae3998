import LockstepPrimitives
import LockstepTokens
import Testing

@Suite struct ForeignTokenTests {
    @Test(arguments: try TokenVector.all())
    func verifiesTokensOfOtherLibraries(vector: TokenVector) throws {
        let verifier = TokenVerifier(keys: [try vector.publicKey.verificationKey()], rules: .vectors)
        for token in [vector.token, vector.other] {
            let verified = try verifier.verify(token, at: noon)
            #expect(try verified.claims == TokenVector.claims())
            #expect(verified.subject == "user-1")
            #expect(verified.header["kid"] == .string("key-" + vector.algorithm.rawValue))
        }
    }

    /// PyJWT escapes non-ASCII characters, so the test compares the name separately.
    ///
    /// The rest is equal to the byte.
    @Test(arguments: try TokenVector.all())
    func signsLikeOtherLibraries(vector: TokenVector) throws {
        let key = try vector.privateKey.signingKey()
        #expect(key.algorithm == vector.algorithm)
        let token = try TokenWriter.sign(TokenVector.claims(), with: key, header: ["alg": "", "kid": "", "typ": "JWT"])
        #expect(token.split(separator: ".")[0] == vector.token.split(separator: ".")[0])
        #expect(
            try TokenVerifier(keys: [vector.publicKey.verificationKey()], rules: .vectors).verify(token, at: noon).claims
                == TokenVector.claims())
        guard vector.algorithm != .es256 else { return }
        let foreign = try UnverifiedToken(vector.token)
        let signed = vector.token.prefix(vector.token.count - Base64.encode(foreign.signature, .url).count - 1)
        #expect(try key.sign(Array(signed.utf8)) == foreign.signature)
    }

    @Test(arguments: try TokenVector.all())
    func readsAndWritesKeys(vector: TokenVector) throws {
        let key = try vector.privateKey.signingKey()
        let written = try JSONWebKey(private: key)
        #expect(try JSONWebKey(written.json).signingKey().sign([1, 2]).count == key.sign([1, 2]).count)
        #expect(written.members.filter { $0.name != "use" }.count == vector.privateKey.members.count)
        for (name, value) in vector.privateKey.members { #expect(written.members[name] == value) }
        #expect(vector.publicKey.thumbprint == vector.thumbprint)
        #expect(vector.privateKey.thumbprint == vector.thumbprint)
        #expect(vector.privateKey.isPrivate)
    }

    @Test(arguments: try TokenVector.all())
    func readsAndWritesPEM(vector: TokenVector) throws {
        guard let publicPEM = vector.publicPEM, let privatePEM = vector.privatePEM else {
            #expect(try vector.privateKey.signingKey().pem() == nil)
            #expect(try vector.publicKey.verificationKey().pem == nil)
            return
        }
        let key = try SigningKey(pem: privatePEM, id: "x")
        #expect(key.id == "x")
        #expect(try VerificationKey(pem: publicPEM).isValid(key.sign([1]), for: [1]))
        #expect(key.verificationKey.pem == publicPEM)
        let again = try #require(try key.pem())
        #expect(try SigningKey(pem: again.reveal()).verificationKey.pem == publicPEM)
        #expect(tokenErrorCode { try SigningKey(pem: publicPEM) } == .invalidKey)
        #expect(tokenErrorCode { try VerificationKey(pem: privatePEM) } == .invalidKey)
    }
}
