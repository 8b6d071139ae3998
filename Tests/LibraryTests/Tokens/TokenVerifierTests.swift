import LockstepPrimitives
import LockstepTokens
import Testing

@Suite struct TokenVerifierTests {
    let key = SigningKey.secret("0123456789abcdef0123456789abcdef")
    var verifier: TokenVerifier { TokenVerifier(keys: [key.verificationKey], rules: .few) }

    @Test func rejectsUnsignedTokens() {
        let unsigned = TokenWriter.unsigned(["sub": "a"])
        #expect(unsigned.hasSuffix("."))
        #expect(tokenErrorCode { try verifier.verify(unsigned, at: noon) } == .algorithmRefused)
        for name in ["none", "None", "NONE", "nOnE", ""] {
            let header = Base64.encode(JSON.object(["alg": .string(name)]).bytes(), .url)
            let claims = Base64.encode(Array(#"{"sub":"a"}"#.utf8), .url)
            for signature in ["", "AAAA"] {
                #expect(tokenErrorCode { try verifier.verify("\(header).\(claims).\(signature)", at: noon) } == .algorithmRefused)
            }
        }
        #expect(tokenErrorCode { try TokenVerifier(keys: [], rules: .few).verify(unsigned, at: noon) } == .algorithmRefused)
    }

    /// The public key of an RSA pair, which every attacker knows, used as a shared secret.
    @Test func rejectsAPublicKeyUsedAsASecret() throws {
        let vector = try TokenVector.of(.rs256)
        let publicKey = try vector.publicKey.verificationKey()
        let pem = try #require(vector.publicPEM)
        for secret in [pem, String(pem.dropLast()), try #require(vector.publicKey.members["n"]?.string)] {
            for id in [nil, publicKey.id] {
                let forged = try TokenWriter.sign(TokenVector.claims(), with: .secret(Secret(secret), id: id))
                #expect(
                    tokenErrorCode { try TokenVerifier(keys: [publicKey], rules: .vectors).verify(forged, at: noon) }
                        == .algorithmRefused)
            }
        }
    }

    @Test func rejectsEveryChangedToken() throws {
        let vector = try TokenVector.of(.es256)
        let verifier = TokenVerifier(keys: [try vector.publicKey.verificationKey()], rules: .vectors)
        let units = Array(vector.token.utf8)
        for place in stride(from: 0, to: units.count, by: 7) {
            var changed = units
            changed[place] = changed[place] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            #expect(tokenErrorCode { try verifier.verify(String(decoding: changed, as: UTF8.self), at: noon) } != nil)
        }
        for count in stride(from: 0, to: units.count, by: 11) {
            #expect(tokenErrorCode { try verifier.verify(String(vector.token.prefix(count)), at: noon) } != nil)
        }
        #expect(tokenErrorCode { try verifier.verify(vector.token + "A", at: noon) } != nil)
        #expect(tokenErrorCode { try verifier.verify(vector.token, at: noon) } == nil)
    }

    @Test func rejectsTheSignatureOfAnotherKey() throws {
        let other = SigningKey.secret("another secret, as long as it takes to be one")
        let token = try TokenWriter.sign(["sub": "a"], with: other)
        #expect(tokenErrorCode { try verifier.verify(token, at: noon) } == .wrongSignature)
        let withoutSignature = token.split(separator: ".").prefix(2).joined(separator: ".") + "."
        #expect(tokenErrorCode { try verifier.verify(withoutSignature, at: noon) } == .wrongSignature)
    }

    @Test(arguments: [
        "", ".", "..", "a.b", "a.b.c.d", "e30.e30", "e30=.e30.", "e30.bnVsbA.", "WzFd.e30.", "e30.e30.!", "e30.e30.A",
        "e30 .e30.", "e31.e30.",
    ])
    func rejectsTextThatIsNotAToken(text: String) {
        #expect(tokenErrorCode { try UnverifiedToken(text) } == .malformed)
        #expect(tokenErrorCode { try verifier.verify(text, at: noon) } == .malformed)
    }

    @Test func rejectsHeadersWithRepeatedMembers() throws {
        let header = Base64.encode(Array(#"{"alg":"none","alg":"HS256"}"#.utf8), .url)
        let signed = header + ".e30"
        let token = signed + "." + Base64.encode(try key.sign(Array(signed.utf8)), .url)
        #expect(tokenErrorCode { try verifier.verify(token, at: noon) } == .malformed)
    }

    @Test func rejectsTokensBeyondTheSizeLimit() throws {
        let token = try TokenWriter.sign(["sub": .string(String(repeating: "a", count: UnverifiedToken.sizeLimit))], with: key)
        #expect(tokenErrorCode { try verifier.verify(token, at: noon) } == .malformed)
    }

    /// A good signature does not make malformed claims valid.
    @Test(arguments: [
        Array(#"{"sub":"a","sub":"b"}"#.utf8), Array(#"{"sub":"a"}x"#.utf8), Array(#"["sub"]"#.utf8), Array("null".utf8), [],
        Array(#"{"sub":""#.utf8) + [0xff, 0xc0] + Array(#""}"#.utf8),
        Array(("{\"a\":" + String(repeating: "[", count: 400) + String(repeating: "]", count: 400) + "}").utf8),
        Array("\u{FEFF}{\"sub\":\"a\"}".utf8),
    ])
    func rejectsMalformedClaims(claims: [UInt8]) throws {
        let signed = Base64.encode(Array(#"{"alg":"HS256"}"#.utf8), .url) + "." + Base64.encode(claims, .url)
        let token = signed + "." + Base64.encode(try key.sign(Array(signed.utf8)), .url)
        #expect(tokenErrorCode { try verifier.verify(token, at: noon) } == .malformed)
    }

    @Test func rejectsUnknownExtensions() throws {
        let token = try TokenWriter.sign(["sub": "a"], with: key, header: ["alg": "", "crit": ["exp"]])
        #expect(tokenErrorCode { try verifier.verify(token, at: noon) } == .algorithmRefused)
    }

    @Test func selectsTheKeyByItsID() throws {
        let first = SigningKey.secret("first secret", id: "1")
        let second = SigningKey.secret("second secret", id: "2")
        let verifier = TokenVerifier(
            keys: [first.verificationKey, second.verificationKey], rules: .few)
        let claims: JSONObject = ["iss": "issuer"]
        for key in [first, second] {
            #expect(try verifier.verify(TokenWriter.sign(claims, with: key), at: noon).claims == claims)
        }
        // A token without a key id can be signed by any key. A token with one must be signed by that key.
        #expect(try verifier.verify(TokenWriter.sign(claims, with: .secret("second secret")), at: noon).header["kid"] == nil)
        let forged = try TokenWriter.sign([:], with: .secret("second secret", id: "1"))
        #expect(tokenErrorCode { try verifier.verify(forged, at: noon) } == .wrongSignature)
        let unknown = try TokenWriter.sign([:], with: .secret("second secret", id: "3"))
        #expect(tokenErrorCode { try verifier.verify(unknown, at: noon) } == .unknownKey)
        let number = "eyJhbGciOiJIUzI1NiIsImtpZCI6MX0.e30."
        #expect(tokenErrorCode { try verifier.verify(number, at: noon) } == .malformed)
    }

    @Test func writesHeaderMembersInTheGivenOrder() throws {
        let key = SigningKey.secret("secret", id: "k")
        let token = try UnverifiedToken(TokenWriter.sign([:], with: key, header: ["cat": "c", "kid": "", "typ": "JWT"]))
        #expect(token.header.names == ["cat", "kid", "typ", "alg"])
        #expect(try UnverifiedToken(TokenWriter.sign([:], with: key)).header.names == ["alg", "typ", "kid"])
        #expect(try UnverifiedToken(TokenWriter.sign([:], with: self.key)).header.names == ["alg", "typ"])
        #expect(try UnverifiedToken(TokenWriter.unsigned([:])).header == ["alg": "none", "typ": "JWT"])
    }
}
