import Lockstep
import LockstepPrimitives
import LockstepTestConcurrency
import LockstepTestSupport
import LockstepTokens
import LockstepVerifier
import LockstepVerifierTestSupport
import Testing

/// All checks of a token pass exactly if a server accepts it.
@Suite("The checks of a token", .limitedConcurrency)
struct TokenCheckTests {
    private static let clock = FixedClock()
    private static let url = "https://ref.supabase.co/auth/v1"

    private func backend() throws -> TestBackend { try .goTrue(url: Self.url, clock: Self.clock) }

    private func verifier(_ backend: TestBackend, url: String = Self.url) throws -> SessionVerifier {
        try .goTrue(url: url, check: .session(key: "any"), transport: backend, clock: Self.clock)
    }

    private func verdicts(_ token: Secret, _ verifier: SessionVerifier) async -> [TokenCheck.Subject: TokenCheck.Verdict] {
        let checks = await verifier.checks(of: token)
        let isAccepted = (try? await verifier.verify(token)) != nil
        #expect(checks.allSatisfy { $0.verdict == .passed } == isAccepted, "\(checks)")
        #expect(Set(checks.map(\.subject)).count == checks.count && checks.allSatisfy { !$0.reason.isEmpty })
        #expect(!"\(checks)".contains(token.reveal()))
        return Dictionary(uniqueKeysWithValues: checks.map { ($0.subject, $0.verdict) })
    }

    @Test func everyCheckOfGoodTokenPasses() async throws {
        let backend = try backend()
        let found = await verdicts(try backend.token(for: TestUser("user-1")), try verifier(backend))
        #expect(Set(found.keys) == Set(TokenCheck.Subject.allCases) && Set(found.values) == [.passed])
    }

    @Test(arguments: [
        ("exp", JSON.int(1), TokenCheck.Subject.times), ("aud", "other", .audience), ("iss", "https://other.example", .issuer),
        ("session_id", .null, .backend), ("client_id", "app", .backend),
    ])
    func brokenRuleIsFoundAlone(claim: String, value: JSON, subject: TokenCheck.Subject) async throws {
        let backend = try backend()
        var user = TestUser("user-1")
        user.claims = [claim: value]
        var found = await verdicts(try backend.token(for: user), try verifier(backend))
        // The backend is asked only about a valid token, and after the rules.
        #expect(found.removeValue(forKey: .session) ?? .unknown == .unknown)
        #expect(found.removeValue(forKey: subject) == .failed, "\(found)")
        #expect(Set(found.values) == [.passed], "\(found)")
    }

    @Test func brokenRulesAreFoundTogether() async throws {
        let backend = try backend()
        var user = TestUser("user-1")
        user.claims = ["aud": "other", "exp": 1]
        let found = await verdicts(try backend.token(for: user), try verifier(backend))
        #expect(found[.audience] == .failed && found[.times] == .failed && found[.signature] == .passed)
    }

    @Test func endedSessionAndAbsentKeysAreReported() async throws {
        let backend = try backend()
        let token = try backend.token(for: TestUser("user-1"))
        backend.endSession(of: token)
        #expect(await verdicts(token, try verifier(backend))[.session] == .failed)
        backend.isReachable = false
        let found = await verdicts(token, try verifier(backend))
        #expect(found[.signature] == .unknown && found[.backend] == .unknown && found[.times] == .passed)
        #expect(await verdicts("not a token", try verifier(backend)) == [.format: .failed])
    }

    @Test func tokensOfAnyIssuerAreVerified() async throws {
        let backend = try backend()
        let token = try backend.token(for: TestUser("user-1"))
        let keys = Self.url + "/.well-known/jwks.json"
        let good = try SessionVerifier.published(
            at: keys, issuer: Self.url, audience: ["authenticated"], transport: backend, clock: Self.clock)
        #expect(try await good.verify(token).userID == "user-1")
        let other = try SessionVerifier.published(at: keys, issuer: Self.url, audience: [], transport: backend, clock: Self.clock)
        #expect(await verdicts(token, other)[.audience] == .failed)
        #expect(throws: AuthError.self) {
            try SessionVerifier.published(at: "http://issuer.example/keys", issuer: "x", audience: [], transport: backend)
        }
    }
}
