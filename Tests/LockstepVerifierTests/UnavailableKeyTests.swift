import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import LockstepTestSupport
import LockstepTokens
import LockstepVerifier
import Synchronization
import Testing

/// A token that no key could make valid is rejected without keys: the app gets 401 and not 503.
@Suite(.limitedConcurrency)
struct UnavailableKeyTests {
    /// A transport whose backends are all down, which counts the requests.
    private final class Outage: HTTPTransport {
        private let count = Mutex(0)

        var requests: Int { count.withLock(\.self) }

        func send(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse {
            count.withLock { $0 += 1 }
            throw HTTPFailure(.cannotConnect, .neverSent, "The test's backends are down.")
        }
    }

    private static let clock = FixedClock()

    private func verifiers(over transport: Outage) throws -> [SessionVerifier] {
        [
            try .firebase(project: "orders", transport: transport, clock: Self.clock),
            try .goTrue(url: "https://ref.example.com/auth/v1", transport: transport, clock: Self.clock),
            try .clerk(
                url: "https://clerk.orders.example", authorizedParties: ["https://orders.example"], nativeApps: true,
                transport: transport, clock: Self.clock),
        ]
    }

    private static let issuers = [
        "https://securetoken.google.com/orders", "https://ref.example.com/auth/v1", "https://clerk.orders.example",
    ]

    private func token(_ change: (inout JSONObject) -> Void) throws -> Secret {
        let now = Self.clock.now.seconds
        var claims: JSONObject = [
            "iss": "https://elsewhere.example", "sub": "user-1", "iat": .int(now - 60), "exp": .int(now + 600),
            "auth_time": .int(now - 60), "sid": "sess_1", "session_id": "session-1",
        ]
        change(&claims)
        return Secret(try TokenWriter.sign(claims, with: .makeP256(id: "strange")))
    }

    @Test(arguments: ["https://securetoken.google.com/other", "", "https://clerk.orders.example.evil.example", nil])
    func rejectsUnknownIssuerWithoutAKey(_ issuer: String?) async throws {
        let outage = Outage()
        let all = try verifiers(over: outage)
        let pairs = [
            SessionVerifier(all[0], or: all[1]), SessionVerifier(all[1], or: all[2]), SessionVerifier(all[2], or: all[0]),
            SessionVerifier(SessionVerifier(all[2], or: all[1]), or: all[0]),
        ]
        let token = try token { $0["iss"] = issuer.map(JSON.string) }
        for verifier in all + pairs {
            let refusal = await error { try await verifier.verify(token) }
            #expect(refusal?.code == (issuer == nil ? .missingClaim : .wrongIssuer))
            #expect(refusal?.isTransient == false)
        }
        #expect(outage.requests == 0, "no key was requested")
    }

    @Test func rejectsIssuerOfAnyJSONTypeWithoutAKey() async throws {
        let outage = Outage()
        let all = try verifiers(over: outage)
        for issuer: JSON in [.null, 7, [], ["https://clerk.orders.example"], [:], true] {
            let token = try token { $0["iss"] = issuer }
            #expect(await code { try await SessionVerifier(all[0], or: all[2]).verify(token) } == .wrongIssuer)
        }
        #expect(outage.requests == 0)
    }

    /// A token that only the keys can decide stays undecided.
    @Test func rejectsExpiredAndForeignTokensWithoutKeys() async throws {
        let now = Self.clock.now.seconds
        for (place, issuer) in Self.issuers.enumerated() {
            let audience: JSON? = ["orders", "authenticated", nil][place]
            let verifiers = try verifiers(over: Outage())
            let both = SessionVerifier(verifiers[place], or: verifiers[(place + 1) % 3])
            func code(_ change: (inout JSONObject) -> Void) async throws -> TokenError.Code? {
                let token = try token {
                    $0["iss"] = .string(issuer)
                    $0["aud"] = audience
                    change(&$0)
                }
                return await LockstepVerifierTests.code { try await both.verify(token) }
            }
            #expect(try await code { _ in } == .keysUnavailable)
            #expect(try await code { $0["exp"] = .int(now - 60) } == .expired)
            #expect(try await code { $0["exp"] = .int(.min) } == .invalidClaim)
            #expect(try await code { $0["aud"] = "others" } == .wrongAudience)
            #expect(try await code { $0["sub"] = nil } == .missingClaim)
        }
    }
}
