import LockstepCrypto
import LockstepEmulation
import LockstepFirebaseEmulator
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import LockstepTokens
import Synchronization
import Testing

/// Redirects through the pages of an identity provider: `createAuthUri`, the page, `signInWithIdp`.
@Suite(.limitedConcurrency)
struct RoundTripTests {
    /// A provider whose page returns codes, each valid for one ID token.
    private final class Provider: Emulator {
        static let provider = "issuer"
        let router: Router

        init(key: SigningKey, in environment: EmulationEnvironment) {
            let nonces = Mutex<[String: String]>([:])
            var router = Router()
            router.on("GET", "/auth") { request -> EmulatorResponse in
                let code = environment.randomness.text(12)
                nonces.withLock { $0[code] = request.query["nonce"] }
                let pairs = [(name: "state", value: request.query["state"] ?? ""), (name: "code", value: code)]
                return .redirect(to: (request.query["redirect_uri"] ?? "") + "?" + Percent.encodeForm(pairs), status: 302)
            }
            router.on("POST", "/token") { request -> EmulatorResponse in
                let form = request.form()
                guard form["client_secret"] == "s", form["redirect_uri"] == RoundTripTests.callback,
                    let nonce = nonces.withLock({ $0.removeValue(forKey: form["code"] ?? "") })
                else { return .json(["error": "invalid_grant"], status: 400) }
                let now = environment.now.seconds
                let claims: JSONObject = [
                    "iss": .string(environment.base), "aud": "client", "sub": "person-1", "nonce": .string(nonce),
                    "iat": .int(now), "exp": .int(now + 300), "email": "ada@example.com", "email_verified": true,
                ]
                return .json(["id_token": .string(try TokenWriter.sign(claims, with: key)), "access_token": "a"])
            }
            router.on("GET", "/.well-known/openid-configuration") { _ throws -> EmulatorResponse in
                let base = environment.base
                return .json([
                    "issuer": .string(base), "authorization_endpoint": .string(base + "/auth"),
                    "token_endpoint": .string(base + "/token"), "jwks_uri": .string(base + "/keys"),
                ])
            }
            router.on("GET", "/keys") { _ throws -> EmulatorResponse in .json(JSONWebKeySet(publishing: [key]).json) }
            self.router = router
        }

        func reset() {}
    }

    private static let callback = "https://app.example.com/callback"

    private final class World: Sendable {
        let emulator: TestEmulator
        let provider: EmulatorServer<Provider>

        init(_ mode: FirebaseMode = .strict, _ change: (inout FirebaseSettings) -> Void = { _ in }) throws {
            let key = SigningKey.p256(try P256PrivateKey.generate(), id: "issuer-1")
            let provider = try EmulatorServer { Provider(key: key, in: $0) }
            self.provider = provider
            emulator = try TestEmulator(mode) { settings in
                settings.authorizedDomains = ["app.example.com"]
                settings.identityProviders["oidc.acme"] = TrustedIssuer(
                    issuer: provider.base, audiences: ["client"], keys: JSONWebKeySet(publishing: [key]).json, needsNonce: true,
                    client: ProviderClient(
                        authorization: provider.base + "/auth?prompt=login", token: provider.base + "/token",
                        id: "client", secret: "s"))
                change(&settings)
            }
        }

        deinit { provider.stop() }

        func begin(_ more: JSONObject = [:]) async throws -> TestEmulator.TestResponse {
            var body: JSONObject = ["providerId": "oidc.acme", "continueUri": .string(callback), "sessionId": "session-1"]
            for (name, value) in more { body[name] = value.isNull ? Optional<JSON>.none : value }
            return try await emulator.call("accounts:createAuthUri", .object(body))
        }

        /// Replaces the provider of the settings by one that is configured over HTTP.
        func configure(_ changes: JSONObject = [:], tenant: String = "") async throws {
            try emulator.admin.change { $0.identityProviders = [:] }
            var body: JSONObject = [
                "clientId": "client", "clientSecret": "s", "issuer": .string(provider.base), "enabled": true,
                "responseType": ["code": true],
            ]
            for (name, value) in changes { body[name] = value.isNull ? Optional<JSON>.none : value }
            let path = (tenant.isEmpty ? "" : "tenants/\(tenant)/") + "oauthIdpConfigs"
            let made = try await emulator.configure(.post, path, query: ["oauthIdpConfigId": "oidc.acme"], .object(body))
            #expect(made.status == 200)
        }

        /// The address to which the page redirects.
        func consent(_ page: String) async throws -> String {
            let response = try await emulator.send(HTTPRequest(.get, page)).response
            return try #require(response.headers["Location"])
        }

        func end(_ url: String, _ more: JSONObject = ["sessionId": "session-1"]) async throws -> TestEmulator.TestResponse {
            var body: JSONObject = ["requestUri": .string(url), "returnSecureToken": true]
            for (name, value) in more { body[name] = value }
            return try await emulator.call("accounts:signInWithIdp", .object(body))
        }
    }

    @Test func pageSignsInAndItsCodeWorksOnce() async throws {
        let world = try World()
        let begun = try await world.begin([
            "customParameter": ["login_hint": "ada", "redirect_uri": "x"], "oauthScope": "calendar",
        ])
        #expect(begun["sessionId"] == "session-1" && begun["providerId"] == "oidc.acme")
        let query = Percent.decodeForm(begun["authUri"].split(separator: "?")[1]) ?? []
        let parameters = Dictionary(query.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
        #expect(parameters["login_hint"] == "ada" && parameters["prompt"] == "login")
        #expect(parameters["redirect_uri"] == Self.callback && parameters["scope"] == "openid email calendar")
        #expect(!begun["authUri"].contains("session-1"))
        let url = try await world.consent(begun["authUri"])
        let signedIn = try await world.end(url)
        #expect(signedIn["email"] == "ada@example.com" && signedIn["federatedId"] == "person-1")
        #expect(try UnverifiedToken(signedIn["idToken"]).claims["firebase"]?["sign_in_provider"] == "oidc.acme")
        #expect(try await world.end(url).code == "INVALID_IDP_RESPONSE")
    }

    /// The issuer's own document names its page and its token endpoint.
    @Test func configuredProviderUsesTheCodeFlow() async throws {
        let world = try World()
        try await world.configure()
        let begun = try await world.begin()
        #expect(begun["authUri"].hasPrefix(world.provider.base + "/auth?"))
        let url = try await world.consent(begun["authUri"])
        #expect(try await world.end(url, ["sessionId": "session-2"]).code == "INVALID_IDP_RESPONSE")
        let signedIn = try await world.end(url)
        #expect(signedIn["email"] == "ada@example.com" && signedIn["providerId"] == "oidc.acme")
        #expect(try await world.end(url).code == "INVALID_IDP_RESPONSE", "The code is spent.")
        let path = "oauthIdpConfigs/oidc.acme"
        _ = try await world.emulator.configure(.patch, path, query: ["updateMask": "clientSecret"], ["clientSecret": "other"])
        let other = try await world.consent(try await world.begin()["authUri"])
        #expect(try await world.end(other).code == "INVALID_IDP_RESPONSE", "The secret is not the client's.")
    }

    @Test func tenantUsesItsOwnProvider() async throws {
        let world = try World()
        let tenant = "team-1"
        try world.emulator.admin.createTenant(id: tenant)
        try await world.configure(tenant: tenant)
        let own: JSONObject = ["tenantId": .string(tenant)]
        #expect(try await world.begin().code == "OPERATION_NOT_ALLOWED", "The project itself has none.")
        let url = try await world.consent(try await world.begin(own)["authUri"])
        #expect(try await world.end(url).code == "INVALID_IDP_RESPONSE", "The state is the tenant's.")
        let signedIn = try await world.end(url, ["sessionId": "session-1", "tenantId": .string(tenant)])
        #expect(signedIn["tenantId"] == tenant && signedIn["email"] == "ada@example.com")
    }

    @Test func aConfigurationWithoutACodeFlowHasNoPage() async throws {
        for changes in [["responseType": ["idToken": true]], ["responseType": nil]] as [JSONObject] {
            let world = try World()
            try await world.configure(changes)
            #expect(try await world.begin().code == "OPERATION_NOT_ALLOWED", "\(changes)")
        }
        let remote = try World()
        try await remote.configure(["issuer": "https://issuer.example.test"])
        #expect(try await remote.begin().code == "INVALID_IDP_RESPONSE", "Its document is not fetched.")
    }

    @Test func callbackNeedsItsSessionAndState() async throws {
        let world = try World()
        let url = try await world.consent(try await world.begin()["authUri"])
        #expect(try await world.end(url, ["sessionId": "session-2"]).code == "INVALID_IDP_RESPONSE")
        #expect(try await world.end(url, [:]).code == "INVALID_IDP_RESPONSE")
        let other = try await world.consent(try await world.begin(["sessionId": "session-2"])["authUri"])
        func callback(_ state: String, _ code: String, at address: String = Self.callback) -> String {
            address + "?" + Percent.encodeForm([("state", state), ("code", code)])
        }
        let (state, code) = (try Self.part(url, "state"), try Self.part(url, "code"))
        // The code of another session: its token contains that session's nonce.
        #expect(try await world.end(callback(state, try Self.part(other, "code"))).code == "MISSING_OR_INVALID_NONCE")
        #expect(try await world.end(callback(String(state.dropLast(4)) + "AAAA", code)).code == "INVALID_IDP_RESPONSE")
        #expect(try await world.end(callback(state, code, at: "https://evil.example.com/")).code == "INVALID_IDP_RESPONSE")
        // An ID token of the project is not a valid state.
        let guest = try await world.emulator.call("accounts:signUp")
        #expect(try await world.end(callback(guest["idToken"], code)).code == "INVALID_IDP_RESPONSE")
        #expect(try await world.end(callback(state, code))["localId"].isEmpty == false)
    }

    @Test func callbackSessionRejectsATokenOfTheClient() async throws {
        let world = try World()
        let url = try await world.consent(try await world.begin(["sessionId": "session-2"])["authUri"])
        let code = try #require(Percent.decodeForm(url.split(separator: "?")[1])?.first { $0.name == "code" }?.value)
        let form: HTTPForm = ["client_secret": "s", "redirect_uri": Self.callback, "code": code]
        let given = try await world.emulator.send(HTTPRequest(.post, world.provider.base + "/token", body: .form(form))).response
        let token = try #require(try given.json()["id_token"]?.string)
        let assertion = Percent.encodeForm([("providerId", "oidc.acme"), ("id_token", token), ("nonce", "session-2")])
        for separator in ["?", "#"] {
            #expect(try await world.end(Self.callback + separator + assertion).code == "INVALID_IDP_RESPONSE")
        }
        #expect(try await world.end(Self.callback + "?" + assertion, [:])["localId"].isEmpty == false)
    }

    @Test func applesPagePostsItsResponse() async throws {
        let world = try World { $0.identityProviders["apple.com"] = $0.identityProviders["oidc.acme"] }
        #expect(try await world.begin(["providerId": "apple.com"])["authUri"].contains("response_mode=form_post"))
        #expect(try await !world.begin()["authUri"].contains("response_mode"))
    }

    private static func part(_ url: String, _ name: String) throws -> String {
        try #require(Percent.decodeForm(url.split(separator: "?")[1])?.first { $0.name == name }?.value)
    }

    @Test func stateExpiresAfterAnHour() async throws {
        let world = try World()
        // The clock continues. The rest of the hour is for a busy machine.
        for (seconds, code) in [(3540, nil), (3601, "INVALID_IDP_RESPONSE")] {
            let begun = try await world.begin()
            // The provider's page can stay open, because it creates its code when the person consents.
            world.emulator.pass(seconds)
            world.provider.panel.advance(by: .seconds(seconds))
            #expect(try await world.end(try await world.consent(begun["authUri"])).code == code, "\(seconds)")
        }
    }

    @Test func idTokenWithTheClaimsOfAStateIsRejected() async throws {
        let server = SigningKey.p256(try P256PrivateKey.generate(), id: "server")
        let world = try World { $0.customTokenKeys = JSONWebKeySet(publishing: [server]).json }
        let url = try await world.consent(try await world.begin()["authUri"])
        var claims = try UnverifiedToken(try Self.part(url, "state")).claims
        for name in ["iss", "aud", "iat", "exp"] { claims[name] = nil }
        let now = world.emulator.server.environment.now.seconds
        let custom = try TokenWriter.sign(
            [
                "iss": "server@project.iam.gserviceaccount.com", "iat": .int(now), "exp": .int(now + 600), "uid": "eve",
                "aud": "https://identitytoolkit.googleapis.com/google.identity.identitytoolkit.v1.IdentityToolkit",
                "claims": .object(claims),
            ], with: server)
        let user = try await world.emulator.call("accounts:signInWithCustomToken", ["token": .string(custom)])
        #expect(try UnverifiedToken(user["idToken"]).claims["session"] == claims["session"])
        let forged = Percent.encodeForm([("state", user["idToken"]), ("code", try Self.part(url, "code"))])
        #expect(try await world.end(Self.callback + "?" + forged).code == "INVALID_IDP_RESPONSE")
        #expect(try await world.end(url).status == 200, "Its code is still good.")
    }

    @Test func disabledProviderDoesNotUseTheCode() async throws {
        let world = try World()
        let url = try await world.consent(try await world.begin()["authUri"])
        try world.emulator.admin.change { $0.methods.remove(.identityProvider) }
        #expect(try await world.end(url).code == "OPERATION_NOT_ALLOWED")
        try world.emulator.admin.change { $0.methods = .all }
        let config: JSON = ["clientId": "client", "issuer": .string(world.provider.base), "enabled": false]
        let made = try await world.emulator.configure(
            .post, "oauthIdpConfigs", query: ["oauthIdpConfigId": "oidc.acme"], config)
        #expect(made.status == 200)
        #expect(try await world.begin().code == "OPERATION_NOT_ALLOWED")
        #expect(try await world.end(url).code == "OPERATION_NOT_ALLOWED")
        let path = "oauthIdpConfigs/oidc.acme"
        _ = try await world.emulator.configure(.patch, path, query: ["updateMask": "enabled"], ["enabled": true])
        #expect(try await world.end(url).status == 200, "Its code is still good.")
    }

    @Test func remoteTokenEndpointIsNamed() async throws {
        let world = try World { $0.identityProviders["oidc.acme"]?.client?.token = "https://issuer.example.test/token" }
        let refused = try await world.end(try await world.consent(try await world.begin()["authUri"]))
        #expect(refused.code == "INVALID_IDP_RESPONSE")
        #expect(refused.json["error"]?["message"]?.string?.contains("127.0.0.1") == true)
    }

    @Test func errorsAtAndBeforeThePageAreReported() async throws {
        let world = try World()
        let state = try #require(
            Percent.decodeForm(try await world.begin()["authUri"].split(separator: "?")[1])?.first { $0.name == "state" }?.value)
        let refused = Self.callback + "?" + Percent.encodeForm([("state", state), ("error", "access_denied")])
        #expect(try await world.end(refused).code == "INVALID_IDP_RESPONSE")
        let nowhere = try await world.begin(["continueUri": .null])
        #expect(nowhere.code == "MISSING_CONTINUE_URI")
        #expect(try await world.begin(["continueUri": "app://callback"]).code == "INVALID_CONTINUE_URI")
        #expect(try await world.begin(["continueUri": "https://app.example.com/?state=x"]).code == "INVALID_CONTINUE_URI")
        #expect(try await world.begin(["continueUri": "https://app.example.com/#x"]).code == "INVALID_CONTINUE_URI")
        #expect(try await world.begin(["continueUri": "https://evil.example.org/"]).code == "UNAUTHORIZED_DOMAIN")
        #expect(try await world.begin(["providerId": "github.com"]).code == "OPERATION_NOT_ALLOWED")
        let off = try World { $0.methods.remove(.identityProvider) }
        #expect(try await off.begin().code == "OPERATION_NOT_ALLOWED")
        let bare = try World { $0.identityProviders["oidc.acme"]?.client = nil }
        #expect(try await bare.begin().code == "OPERATION_NOT_ALLOWED")
    }

    @Test func emulatorModeHasNoProviderPages() async throws {
        #expect(try await World(.emulator).begin().status == 501)
    }
}
