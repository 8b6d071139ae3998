import Lockstep
import LockstepContracts
import LockstepHarnesses
import LockstepPrimitives
import LockstepTestConcurrency
import LockstepTokens
import Testing

/// Tokens in place of others, sent to real backends, and the emulators' tokens with production's rules.
@Suite("Tokens of another backend", .limitedConcurrency)
struct ForeignTokenTests {
    private static let harnesses: [any Harness] = [FirebaseHarness(), GoTrueHarness(), ClerkHarness()]

    @Test("A token of another kind is rejected", arguments: [0, 1, 2])
    func tokenOfAnotherKindIsRejected(_ place: Int) async throws {
        let harness = Self.harnesses[place]
        try await harness.withEnvironment(harness.variants[0]) { environment in
            let session = try #require(try await environment.member("ada@example.com").state.session)
            let administrator = try #require(environment.administrator)
            #expect(try await administrator.accepts(accessToken: session.accessToken))
            #expect(
                try await !administrator.accepts(accessToken: session.refreshToken), "a refresh token passes for an access token")
            #expect(
                try await !administrator.accepts(refreshToken: session.accessToken), "an access token passes for a refresh token")
            // The identity provider's own token of the same person, which the backend accepts for a sign-in.
            let issuer = try #require(environment.issuer)
            let idToken = try await issuer.idToken(
                for: IdentitySubject(id: session.user.id, email: "ada@example.com"), flaw: nil)
            #expect(try await !administrator.accepts(accessToken: idToken), "an ID token passes for an access token")
            #expect(try await !administrator.accepts(refreshToken: idToken), "an ID token passes for a refresh token")
            #expect(try await administrator.accepts(accessToken: session.accessToken))
        }
    }

    /// The settings of a server in production (see `TokenRules`).
    private static func production(_ name: String) -> TokenRules {
        switch name {
        case "firebase": TokenRules(issuers: ["https://securetoken.google.com/orders"], audiences: ["orders"])
        case "gotrue": TokenRules(issuers: ["https://ref.supabase.co/auth/v1"], audiences: ["authenticated"])
        default: TokenRules(issuers: ["https://clerk.orders.example"], audiences: .notInTokens)
        }
    }

    /// The emulators use their own issuer.
    ///
    /// Even with their keys among production's, their tokens are rejected.
    @Test("An emulator's token is rejected in production", arguments: [0, 1, 2])
    func emulatorTokenIsRejectedInProduction(_ place: Int) async throws {
        let harness = Self.harnesses[place]
        try await harness.withEnvironment(harness.variants[0]) { environment in
            let session = try #require(try await environment.member("ada@example.com").state.session)
            let text = session.accessToken.reveal()
            let token = try UnverifiedToken(text)
            let rules = Self.production(harness.name)
            func code(_ body: () async throws(TokenError) -> Void) async -> TokenError.Code? {
                do throws(TokenError) {
                    try await body()
                    return nil
                } catch { return error.code }
            }
            // Production's keys, one of them with the id of the emulator's key.
            let keys = [try SigningKey.makeRSA(id: token.keyID ?? "production"), try SigningKey.makeRSA(id: "production-2")]
            let set = RemoteKeySet(clock: environment.clock, fetch: { JSONWebKeySet(publishing: keys).json.bytes() })
            let refused = await code { () async throws(TokenError) in _ = try await set.verify(text, rules: rules) }
            #expect(refused.map { [.wrongSignature, .algorithmRefused, .unknownKey].contains($0) } == true)
            // The issuer would still reject an emulator that had production's keys.
            let meant = await code { () async throws(TokenError) in try rules.check(token.claims, at: environment.clock.now) }
            #expect(meant == .wrongIssuer)
            let issuer = try #require(token.claims["iss"]?.string)
            #expect(!rules.issuers.contains(issuer))
        }
    }
}
