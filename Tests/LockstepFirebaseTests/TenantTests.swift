import Lockstep
import LockstepCurl
import LockstepEmulatorTestSupport
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

@testable import LockstepFirebase

/// Values that every request sends: the tenant and a token of App Check.
///
/// Also the team's function that ends sessions.
@Suite(.limitedConcurrency)
struct TenantTests {
    private static let credential = PasswordCredential(email: "ada@example.com", password: "Correct-Horse-1")

    private static func adapter(
        _ playback: Playback, tenant: String? = "shop-a1b2c", sessionEnding: String? = nil
    ) throws -> FirebaseAdapter {
        let configuration = try FirebaseConfiguration(
            url: Firebase.emulator, key: "fake-api-key", tenant: tenant, sessionEnding: sessionEnding)
        return FirebaseAdapter(configuration, transport: playback, clock: Firebase.clock)
    }

    @Test func tenantIsSentWithEveryRequest() async throws {
        let playback = Playback(
            .json(Firebase.tokens(verified: true, tenant: "shop-a1b2c")), .json(Firebase.lookup(verified: true)))
        let adapter = try Self.adapter(playback)
        let step = try await PasswordSignIn(api: adapter.api).begin(Self.credential, for: .signIn, in: Firebase.memory())
        #expect(step.session != nil)
        #expect(playback.requests.count == 2 && playback.requests.allSatisfy { $0.json?["tenantId"] == "shop-a1b2c" })
    }

    @Test(
        arguments: [
            ("shop-a1b2c", "bank-d3e4f"), ("shop-a1b2c", nil), (nil, "shop-a1b2c"),
        ] as [(String?, String?)])
    func tokensOfAnotherTenantAreRejected(_ own: String?, _ other: String?) async throws {
        let foreign = Firebase.tokens(verified: true, tenant: other)
        let adapter = try Self.adapter(Playback(.json(foreign), .json(foreign)), tenant: own)
        #expect(try await refusal { try await adapter.api.refresh("r") }.code == .invalidResponse)
        let error = try await refusal {
            try await PasswordSignIn(api: adapter.api).begin(Self.credential, for: .signIn, in: Firebase.memory())
        }
        #expect(error.code == .invalidResponse)
    }

    @Test func tenantUserIsNotAProjectUser() async throws {
        let project = try FirebaseProject(tenant: "shop-a1b2c")
        let client = project.client()
        let user = try #require(try await client.signIn(with: .anonymous).session?.user.id)
        let claims = try #require(client.state.session?.claims)
        #expect(claims["firebase"]?["tenant"] == "shop-a1b2c")
        let life = try #require(client.state.session).lifetime.life
        project.clock.advance(by: life + .seconds(1))
        #expect(try await client.session().user.id == user)
        #expect(try await client.refreshUser().id == user)
        // The same token, sent to the project itself.
        var configuration = try FirebaseConfiguration(url: project.server.base, key: "fake-api-key")
        configuration.deadline = .seconds(600)
        let plain = FirebaseAdapter(configuration, transport: CurlTransport(), clock: project.clock)
        let session = try #require(client.state.session)
        #expect(try await refusal { try await plain.sessions.refresh(session) }.code == .invalidResponse)
    }

    @Test func tenantsAreSeparateBackends() throws {
        let backends = try [nil, "shop-a1b2c", "bank-d3e4f"].map { try Self.adapter(Playback(), tenant: $0).backend }
        #expect(Set(backends).count == 3)
        #expect(try FirebaseAdapter(key: "k", transport: Playback()).backend.contains("shop") == false)
    }

    @Test(arguments: ["", "a/b", "shop a", "..", "shop\n"])
    func malformedTenantIsReported(_ tenant: String) async throws {
        #expect(try await refusal { try FirebaseConfiguration(key: "k", tenant: tenant) }.code == .invalidConfiguration)
    }

    @Test func appCheckTokenIsSentAndNotShownInErrors() async throws {
        let playback = Playback(.json(Firebase.tokens()), Firebase.refusal("BRAND_NEW : app-check-token-1"))
        let adapter = try Firebase.adapter(playback) { $0.appCheck = { () throws(AuthError) in "app-check-token-1" } }
        _ = try await adapter.api.refresh("r")
        let error = try await refusal { try await adapter.api.call("accounts:lookup", ["idToken": "t"]) }
        #expect(playback.requests.allSatisfy { $0.headers["X-Firebase-AppCheck"] == "app-check-token-1" })
        #expect(error.provider?.message?.contains("app-check-token-1") == false)
        for request in playback.requests { #expect(!"\(request.headers)".contains("app-check-token-1")) }
        let none = Playback(.json(Firebase.tokens()))
        _ = try await Firebase.adapter(none).api.refresh("r")
        #expect(none.requests[0].headers["X-Firebase-AppCheck"] == nil)
    }

    // MARK: The function that ends sessions

    private static let function = "https://team.example.com/end-sessions"

    private static func end(_ response: HTTPResponse, life: Duration = .seconds(60)) async throws -> Playback {
        let playback = Playback(response)
        let adapter = try adapter(playback, tenant: nil, sessionEnding: function)
        let session = Session(
            provider: "firebase", user: User(id: "uid-1"), accessToken: "id-token", refreshToken: "r",
            lifetime: TokenLifetime(life: life, clock: Firebase.clock))
        try await adapter.sessions.revoke(session, scope: .everywhere)
        return playback
    }

    @Test func functionGetsTheUsersTokenWithoutTheKey() async throws {
        for response in [HTTPResponse(status: 204, body: []), .json(["ended": true])] {
            let request = try #require(try await Self.end(response).requests.first)
            #expect(request.url == Self.function && request.headers["Authorization"] == "Bearer id-token")
            #expect(request.headers["X-Goog-Api-Key"] == nil && request.json == [:])
        }
    }

    @Test func unexpectedFunctionResponseEndsNothing() async throws {
        for response in [HTTPResponse.json(["status": "ok"]), .json(["ended": false]), HTTPResponse(status: 200, body: [])] {
            #expect(try await refusal { try await Self.end(response) }.code == .invalidResponse)
        }
        // Its errors are its own. The adapter does not read them as Firebase's.
        for code in ["TOKEN_EXPIRED", "USER_DISABLED", "QUOTA_EXCEEDED"] {
            #expect(try await refusal { try await Self.end(Firebase.refusal(code)) }.code == .invalidResponse)
        }
        let refused: JSON = ["error": ["status": "UNAUTHENTICATED", "message": "Unauthenticated"]]
        for response in [
            HTTPResponse(status: 401, body: []), Firebase.refusal("INVALID_ID_TOKEN", status: 401), .json(400, refused),
        ] {
            #expect(try await refusal { try await Self.end(response) }.code == .accessTokenRefused)
        }
        // An expired token is not sent.
        #expect(try await refusal { try await Self.end(.json([:]), life: .zero) }.code == .accessTokenRefused)
    }

    @Test func tokenRejectedByTheFunctionIsRenewedOnce() async throws {
        let playback = Playback(
            .json(Firebase.tokens(verified: true)), .json(Firebase.lookup(verified: true)), HTTPResponse(status: 401, body: []),
            .json(Firebase.tokens(verified: true)), HTTPResponse(status: 204, body: []))
        let client = AuthClient(
            adapter: try Self.adapter(playback, tenant: nil, sessionEnding: Self.function),
            store: MemorySessionStore(clock: Firebase.clock),
            effects: ClientEffects(clock: Firebase.clock, randomness: SystemRandomness()))
        _ = try await client.signIn(with: .password(email: "ada@example.com", password: "Correct-Horse-1"))
        try await client.signOut(.everywhere)
        #expect(client.state.session == nil)
        #expect(playback.requests.filter { $0.url == Self.function }.count == 2)
    }

    @Test func withoutTheFunctionSignOutIsLocal() throws {
        let bare = try Self.adapter(Playback())
        #expect(bare.signOutScopes == [.local] && !bare.capabilities.contains(.signOutEverywhere))
        let full = try Self.adapter(Playback(), sessionEnding: Self.function)
        #expect(full.capabilities.contains(.signOutEverywhere) && !full.capabilities.contains(.signOutOthers))
    }
}
