import LockstepPrimitives
import LockstepTokens
import Testing

@Suite struct TokenRulesTests {
    let now = Instant(seconds: 1_000_000)
    let rules = TokenRules(issuers: ["issuer"], audiences: .notInTokens)

    @Test(arguments: [
        (#"{"exp":1000000}"#, TokenError.Code.expired), (#"{"exp":1000001}"#, nil), (#"{"exp":1000000.5}"#, nil),
        (#"{"exp":999999}"#, .expired), ("{}", .missingClaim), (#"{"exp":"1000001"}"#, .invalidClaim),
        (#"{"exp":null}"#, .invalidClaim),
        (#"{"exp":1e300}"#, .invalidClaim), (#"{"exp":9223372036854775807}"#, .invalidClaim),
        (#"{"exp":2000000,"nbf":1000001}"#, .notYetValid), (#"{"exp":2000000,"nbf":1000000}"#, nil),
        (#"{"exp":2000000,"iat":1000001}"#, .issuedInFuture), (#"{"exp":2000000,"iat":1000000}"#, nil),
        (#"{"exp":2000000,"iat":-1}"#, nil), (#"{"exp":2000000,"nbf":true}"#, .invalidClaim),
    ])
    func checksExpiryAndStartTimes(claims: String, verdict: TokenError.Code?) throws {
        var claims = try object(claims)
        claims["iss"] = "issuer"
        #expect(tokenErrorCode { try rules.check(claims, at: now) } == verdict)
    }

    @Test func toleratesClockDifferences() {
        let rules = TokenRules(issuers: ["i"], audiences: .notInTokens, leeway: .seconds(10))
        #expect(tokenErrorCode { try rules.check(["iss": "i", "exp": 999_991], at: now) } == nil)
        #expect(tokenErrorCode { try rules.check(["iss": "i", "exp": 999_990], at: now) } == .expired)
        #expect(
            tokenErrorCode { try rules.check(["iss": "i", "exp": 2_000_000, "nbf": 1_000_010, "iat": 1_000_010], at: now) } == nil
        )
        #expect(tokenErrorCode { try rules.check(["iss": "i", "exp": 2_000_000, "nbf": 1_000_011], at: now) } == .notYetValid)
        #expect(tokenErrorCode { try rules.check(["iss": "i", "exp": 2_000_000, "iat": 1_000_011], at: now) } == .issuedInFuture)
    }

    @Test(arguments: [
        ("{}", TokenError.Code?.none), (#"{"iss":"a"}"#, nil), (#"{"iss":""}"#, .wrongIssuer), (#"{"iss":null}"#, .wrongIssuer),
    ])
    func acceptsATokenWithoutIssuerOnlyByChoice(claims: String, verdict: TokenError.Code?) throws {
        var rules = TokenRules(issuers: ["a"], audiences: .notInTokens, requiresExpiry: false)
        #expect(tokenErrorCode { try rules.check([:], at: now) } == .missingClaim)
        rules.takesNamelessIssuer = true
        let claims = try object(claims)
        #expect(tokenErrorCode { try rules.check(claims, at: now) } == verdict)
        rules.issuers = []
        #expect(tokenErrorCode { try rules.check(["iss": "a"], at: now) } == .wrongIssuer)
    }

    @Test(arguments: [
        (#"{"iss":"a"}"#, TokenError.Code?.none), (#"{"iss":"b"}"#, nil), (#"{"iss":"c"}"#, .wrongIssuer), ("{}", .missingClaim),
        (#"{"iss":["a"]}"#, .wrongIssuer),
        (#"{"iss":"a/"}"#, .wrongIssuer), (#"{"iss":"A"}"#, .wrongIssuer), (#"{"iss":" a"}"#, .wrongIssuer),
        (#"{"iss":""}"#, .wrongIssuer),
    ])
    func checksTheIssuer(claims: String, verdict: TokenError.Code?) throws {
        let claims = try object(claims)
        #expect(
            tokenErrorCode {
                try TokenRules(issuers: ["a", "b"], audiences: .notInTokens, requiresExpiry: false).check(claims, at: now)
            }
                == verdict)
    }

    @Test(arguments: [
        (#"{"aud":"a"}"#, TokenError.Code?.none), (#"{"aud":["x","a"]}"#, nil), (#"{"aud":"x"}"#, .wrongAudience),
        (#"{"aud":[]}"#, .wrongAudience), ("{}", .missingClaim), (#"{"aud":1}"#, .wrongAudience),
        (#"{"aud":[1,null]}"#, .wrongAudience),
    ])
    func checksTheAudience(claims: String, verdict: TokenError.Code?) throws {
        var claims = try object(claims)
        claims["iss"] = "i"
        let rules = TokenRules(issuers: ["i"], audiences: ["a"], requiresExpiry: false)
        #expect(tokenErrorCode { try rules.check(claims, at: now) } == verdict)
    }

    @Test(arguments: [
        (#"{"azp":"a"}"#, TokenError.Code?.none), (#"{"azp":"x"}"#, .wrongAudience), ("{}", .missingClaim),
        (#"{"azp":["a"]}"#, .wrongAudience), (#"{"azp":"a","aud":"x"}"#, .wrongAudience),
    ])
    func checksTheAuthorizedParty(claims: String, verdict: TokenError.Code?) throws {
        var claims = try object(claims)
        claims["iss"] = "i"
        let rules = TokenRules(issuers: ["i"], audiences: .authorizedParties(["a"]), requiresExpiry: false)
        #expect(tokenErrorCode { try rules.check(claims, at: now) } == verdict)
    }

    @Test func unexpectedAudienceIsRejected() {
        let rules = TokenRules(issuers: ["i"], audiences: .notInTokens, requiresExpiry: false)
        #expect(tokenErrorCode { try rules.check(["iss": "i", "aud": "x"], at: now) } == .wrongAudience)
        #expect(tokenErrorCode { try rules.check(["iss": "i"], at: now) } == nil)
    }

    @Test func emptyIssuersOrAudiencesAcceptNoToken() {
        let rules = TokenRules(issuers: [], audiences: [], requiresExpiry: false)
        #expect(tokenErrorCode { try rules.check(["iss": "i", "aud": "a"], at: now) } == .wrongIssuer)
        #expect(
            tokenErrorCode { try TokenRules(issuers: ["i"], audiences: []).check(["iss": "i", "aud": "a", "exp": 2e6], at: now) }
                == .wrongAudience)
    }

    @Test func requiresTheListedClaims() {
        let rules = TokenRules(
            issuers: ["i"], audiences: .notInTokens, requiresExpiry: false, requiredClaims: ["sub", "role"])
        #expect(tokenErrorCode { try rules.check(["iss": "i", "sub": "a"], at: now) } == .missingClaim)
        #expect(tokenErrorCode { try rules.check(["iss": "i", "sub": "a", "role": "b"], at: now) } == nil)
    }

    private func object(_ text: String) throws -> JSONObject { try #require(JSON.parse(text).object) }
}
