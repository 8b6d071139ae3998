import Lockstep
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import LockstepTestSupport
import LockstepTokens
import LockstepVerifier
import Synchronization
import Testing

/// The requests to production's addresses, which no test may reach, and the meaning of each response about a session.
@Suite("Asking for the session", .limitedConcurrency)
struct SessionQuestionTests {
    private static let clock = FixedClock()
    private static let key = Result { try SigningKey.makeP256(id: "published") }

    /// Returns the published keys at their address and one response elsewhere, and records the requests.
    private final class Recorder: HTTPTransport {
        private let answer: HTTPResponse
        private let sent = Mutex<[HTTPRequest]>([])

        init(_ answer: HTTPResponse) { self.answer = answer }

        var requests: [HTTPRequest] { sent.withLock { $0 } }

        func send(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse {
            sent.withLock { $0.append(request) }
            guard request.url.contains("jwk"), let key = try? SessionQuestionTests.key.get() else { return answer }
            return HTTPResponse(status: 200, body: JSONWebKeySet(publishing: [key]).json.bytes())
        }
    }

    private static let issuers: [Backend.Provider: String] = [
        .firebase: "https://securetoken.google.com/orders", .goTrue: "https://ref.supabase.co/auth/v1",
        .clerk: "https://clerk.orders.example",
    ]

    private func verifier(_ provider: Backend.Provider, _ transport: some HTTPTransport) throws -> SessionVerifier {
        let (check, issuer) = (SessionVerifier.Check.session(key: "the-key"), Self.issuers[provider] ?? "")
        return switch provider {
        case .firebase: try .firebase(project: "orders", check: check, transport: transport, clock: Self.clock)
        case .goTrue: try .goTrue(url: issuer, check: check, transport: transport, clock: Self.clock)
        case .clerk:
            try .clerk(
                url: issuer, authorizedParties: [], nativeApps: true, check: check, transport: transport,
                clock: Self.clock)
        }
    }

    private func token(_ provider: Backend.Provider) throws -> Secret {
        let now = Self.clock.now.seconds
        var claims: JSONObject = [
            "iss": .string(Self.issuers[provider] ?? ""), "sub": "user-1", "iat": .int(now - 60), "exp": .int(now + 600),
            "auth_time": .int(now - 3600), "sid": "sess_1", "session_id": "session-1",
        ]
        if provider != .clerk { claims["aud"] = provider == .firebase ? "orders" : "authenticated" }
        return Secret(try TokenWriter.sign(claims, with: Self.key.get()))
    }

    private func code(_ provider: Backend.Provider, _ status: Int, _ body: String) async throws -> TokenError.Code? {
        let recorder = Recorder(HTTPResponse(status: status, body: Array(body.utf8)))
        let (verifier, token) = (try verifier(provider, recorder), try token(provider))
        return await LockstepVerifierTests.code { try await verifier.verify(token) }
    }

    @Test("the right addresses are called with the right key", arguments: Backend.Provider.allCases)
    func callsTheRightAddresses(_ provider: Backend.Provider) async throws {
        let recorder = Recorder(HTTPResponse(status: 500))
        let (verifier, token) = (try verifier(provider, recorder), try token(provider))
        _ = await LockstepVerifierTests.code { try await verifier.verify(token) }
        let requests = recorder.requests
        let urls =
            switch provider {
            case .firebase:
                [
                    "https://www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com",
                    "https://identitytoolkit.googleapis.com/v1/accounts:lookup",
                ]
            case .goTrue: ["https://ref.supabase.co/auth/v1/.well-known/jwks.json", "https://ref.supabase.co/auth/v1/user"]
            case .clerk: ["https://clerk.orders.example/.well-known/jwks.json", "https://api.clerk.com/v1/sessions/sess_1"]
            }
        #expect(requests.map(\.url) == urls)
        #expect(requests.first?.headers["Authorization"] == nil && requests.first?.headers["apikey"] == nil)
        let asked = try #require(requests.last)
        switch provider {
        case .firebase: #expect(asked.method == .post && asked.headers["X-Goog-Api-Key"] == "the-key")
        case .goTrue:
            #expect(asked.headers["apikey"] == "the-key" && asked.headers["Authorization"] == "Bearer " + token.reveal())
        case .clerk: #expect(asked.headers["Authorization"] == "Bearer the-key")
        }
    }

    @Test(
        "the backend's response says whether the session exists",
        arguments: [
            (Backend.Provider.firebase, 200, #"{"users":[{"localId":"user-1","validSince":"1799999900"}]}"#, nil),
            (.firebase, 200, #"{"users":[{"localId":"user-1","validSince":"1799999999"}]}"#, .sessionEnded),
            (.firebase, 200, #"{"users":[{"localId":"user-1","disabled":true}]}"#, .sessionEnded),
            (.firebase, 200, #"{"users":[{"localId":"user-2"}]}"#, .sessionEnded),
            (
                .firebase, 400, #"{"error":{"message":"INVALID_ID_TOKEN:The user's credential is no longer valid."}}"#,
                .sessionEnded
            ),
            (.firebase, 400, #"{"error":{"message":"USER_DISABLED : The account is disabled."}}"#, .sessionEnded),
            (.firebase, 400, #"{"error":{"message":"API key not valid. Please pass a valid API key."}}"#, .sessionUnknown),
            (.firebase, 429, #"{"error":{"message":"QUOTA_EXCEEDED"}}"#, .sessionUnknown),
            (.goTrue, 200, #"{"id":"user-1"}"#, nil), (.goTrue, 200, #"{"id":"user-2"}"#, .sessionUnknown),
            (.goTrue, 403, #"{"error_code":"session_not_found"}"#, .sessionEnded),
            (.goTrue, 403, #"{"error_code":"user_banned"}"#, .sessionEnded),
            (.goTrue, 403, #"{"error_code":"bad_jwt"}"#, .sessionUnknown),
            (.goTrue, 401, #"{"message":"Invalid API key"}"#, .sessionUnknown), (.goTrue, 502, "<html>", .sessionUnknown),
            (.clerk, 200, #"{"status":"active","user_id":"user-1"}"#, nil),
            (.clerk, 200, #"{"status":"active","user_id":"user-2"}"#, .sessionUnknown),
            (.clerk, 200, #"{"status":"pending","user_id":"user-1"}"#, .sessionPending),
            (.clerk, 200, #"{"status":"revoked","user_id":"user-1"}"#, .sessionEnded),
            (.clerk, 200, #"{"status":"new","user_id":"user-1"}"#, .sessionUnknown),
            (.clerk, 404, #"{"errors":[{"code":"resource_not_found"}]}"#, .sessionEnded),
            (.clerk, 404, #"{"message":"no Route matched"}"#, .sessionUnknown), (.clerk, 401, "{}", .sessionUnknown),
        ] as [(Backend.Provider, Int, String, TokenError.Code?)])
    func readsTheAnswer(_ provider: Backend.Provider, _ status: Int, _ body: String, _ expected: TokenError.Code?) async throws {
        #expect(try await code(provider, status, body) == expected)
    }
}
