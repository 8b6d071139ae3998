import LockstepEmulation
import LockstepGoTrueEmulator
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import LockstepTokens
import Testing

/// The platform's gateway before the server, below `/auth/v1`, which requires the project's key.
@Suite(.limitedConcurrency)
struct GatewayTests {
    private func send(
        _ emulator: TestEmulator, _ method: HTTPMethod, _ path: String, key: String? = nil, _ headers: HTTPHeaders = [:]
    ) async throws -> TestEmulator.TestResponse {
        var headers = headers
        headers["apikey"] = key
        return try await emulator.send(HTTPRequest(method, emulator.server.base + path, headers: headers))
    }

    @Test(arguments: [
        "/auth/v1/settings", "/auth/v1/user", "/auth/v1/admin/users", "/auth/v1/no/such/route", "/auth/v1/", "/auth/v1",
    ])
    func requestWithoutAKeyIsRejected(_ path: String) async throws {
        let emulator = try TestEmulator()
        let missing = try await send(emulator, .get, path)
        #expect(missing.status == 401)
        #expect(
            missing.json == [
                "message": "No API key found in request", "hint": "No `apikey` request header or url param was found.",
            ])
        #expect(missing.response.headers["content-type"]?.hasPrefix("application/json") == true)
        #expect(missing.response.headers["x-sb-error-code"] == nil, "GoTrue has not seen it")
        for wrong in ["garbage", "a.b.c", try Self.key(role: "anon", secret: "of-another-project-and-long-enough-too")] {
            let refused = try await send(emulator, .get, path, key: wrong)
            #expect(refused.status == 401)
            #expect(
                refused.json == [
                    "message": "Invalid API key", "hint": "Double check your Supabase `anon` or `service_role` API key.",
                ])
        }
    }

    private static func key(role: String, secret: Secret = GoTrueSettings().tokens.secret) throws -> String {
        try TokenWriter.sign(["role": .string(role), "iss": "supabase"], with: .secret(secret))
    }

    @Test func keysOfTheReadyLineAreAccepted() async throws {
        let emulator = try TestEmulator()
        let server = emulator.server.emulator
        for key in [
            server.anonKey, server.serviceRoleKey.reveal(), try Self.key(role: "anon"), try Self.key(role: "service_role"),
        ] {
            #expect(try await send(emulator, .get, "/auth/v1/settings", key: key).status == 200)
            #expect(try await send(emulator, .get, "/auth/v1/settings?apikey=\(key)").status == 200, "in the query, too")
        }
        #expect(
            try await send(emulator, .get, "/auth/v1/user", key: server.anonKey).code == "no_authorization", "now GoTrue's own")
    }

    /// Publishable and secret keys are not tokens.
    ///
    /// The gateway replaces them by a token of their role.
    @Test func publishableAndSecretKeysMapToTheirRoles() async throws {
        let emulator = try TestEmulator()
        let server = emulator.server.emulator
        let (publishable, secret) = (server.publishableKey, server.secretKey.reveal())
        for key in [publishable, secret] {
            #expect(try await send(emulator, .get, "/auth/v1/settings", key: key).status == 200)
            // As the vendor's clients and curl send it; also if it differs from the gateway's key.
            for bearer in [nil, "Bearer \(publishable)", "Bearer \(secret)", "Bearer sb_"] as [String?] {
                var headers: HTTPHeaders = [:]
                headers["Authorization"] = bearer
                let users = try await send(emulator, .get, "/auth/v1/admin/users", key: key, headers)
                #expect(users.status == (key == secret ? 200 : 403), "\(bearer ?? "no bearer")")
                #expect(key == secret || users.code == "not_admin")
                #expect(try await send(emulator, .get, "/auth/v1/user", key: key, headers).code == "bad_jwt", "no user's")
            }
        }
        // With them a user's token stays unchanged.
        let bearer = try await emulator.person()["access_token"]
        for key in [publishable, secret] {
            let user = try await send(emulator, .get, "/auth/v1/user", key: key, ["Authorization": "Bearer \(bearer)"])
            #expect(user.status == 200 && user["email"] == "ada@example.com")
            let users = try await send(emulator, .get, "/auth/v1/admin/users", key: key, ["Authorization": "Bearer \(bearer)"])
            #expect(users.code == "not_admin")
        }
    }

    @Test func invalidNewKeysAreRejected() async throws {
        let emulator = try TestEmulator()
        let server = emulator.server.emulator
        let (publishable, secret) = (server.publishableKey, server.secretKey.reveal())
        for wrong in ["sb_publishable_of_another", "sb_secret_", publishable + "x", String(secret.dropLast())] {
            let refused = try await send(emulator, .get, "/auth/v1/settings", key: wrong)
            #expect(refused.status == 401)
            #expect(
                refused.json == [
                    "message": "Unregistered API key",
                    "hint": "Double check the provided API key as it is not registered for this project.",
                ])
        }
        // Only this header identifies a browser.
        let browser: HTTPHeaders = ["User-Agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"]
        let inBrowser = try await send(emulator, .get, "/auth/v1/admin/users", key: secret, browser)
        #expect(inBrowser.status == 401 && inBrowser["message"] == "Forbidden use of secret API key in browser")
        #expect(inBrowser.response.headers["sb-error-code"] == "UNAUTHORIZED_INVALID_API_KEY_TYPE")
        #expect(try await send(emulator, .get, "/auth/v1/settings?apikey=\(secret)", browser).status == 401)
        #expect(try await send(emulator, .get, "/auth/v1/settings", key: publishable, browser).status == 200)
        #expect(try await send(emulator, .get, "/auth/v1/settings", key: server.serviceRoleKey.reveal(), browser).status == 200)
        // A key in the query passes the gateway and has no role.
        #expect(try await send(emulator, .get, "/auth/v1/settings?apikey=\(secret)").status == 200)
        #expect(try await send(emulator, .get, "/auth/v1/admin/users?apikey=\(secret)").code == "no_authorization")
        // GoTrue itself does not know such keys, and the request does not contain a token of the secret key's role.
        #expect(try await send(emulator, .get, "/admin/users", key: secret).code == "no_authorization")
        #expect(
            try await send(emulator, .get, "/admin/users", key: secret, ["Authorization": "Bearer \(secret)"]).code == "bad_jwt")
        let legacy = try await send(
            emulator, .get, "/auth/v1/admin/users", key: server.anonKey, ["Authorization": "Bearer \(secret)"])
        #expect(legacy.code == "no_authorization")
    }

    @Test func newKeysAreStableOrComeFromTheSettings() async throws {
        let (first, second) = (try TestEmulator(), try TestEmulator())
        #expect(first.server.emulator.secretKey == second.server.emulator.secretKey)
        #expect(first.server.emulator.publishableKey != first.server.emulator.secretKey.reveal())
        let form = /sb_(publishable|secret)_[A-Za-z0-9_-]{22}_[A-Za-z0-9_-]{8}/
        for key in [first.server.emulator.publishableKey, first.server.emulator.secretKey.reveal()] {
            #expect(key.wholeMatch(of: form) != nil, "\(key)")
        }
        let other = try TestEmulator { $0.tokens.secret = "another-secret-that-is-long-enough-for-it" }
        #expect(other.server.emulator.secretKey != first.server.emulator.secretKey)
        let settings = try GoTrueSettings(environment: [
            ("SUPABASE_PUBLISHABLE_KEY", "sb_publishable_mine"), ("SUPABASE_SECRET_KEY", "sb_secret_mine"),
        ])
        let own = try TestEmulator { $0.tokens = settings.tokens }
        let variables = own.server.emulator.variables
        #expect(variables["publishable"] == "sb_publishable_mine" && variables["secret"] == "sb_secret_mine")
        #expect(try await send(own, .get, "/auth/v1/admin/users", key: "sb_secret_mine").status == 200)
        #expect(try await send(own, .get, "/auth/v1/settings", key: first.server.emulator.publishableKey).status == 401)
        for (name, value) in [
            ("SUPABASE_PUBLISHABLE_KEY", "sb_secret_mine"), ("SUPABASE_SECRET_KEY", "sb_publishable_mine"),
            ("SUPABASE_SECRET_KEY", "sb_secret_"), ("SUPABASE_SECRET_KEY", "sb_secret_two words"), ("SUPABASE_SECRET_KEY", "eyJ"),
        ] {
            #expect(throws: GoTrueSettingsError.self, "\(name) \(value)") { try GoTrueSettings(environment: [(name, value)]) }
        }
    }

    /// The token for a key is signed like users' tokens, so a server that accepts no other algorithm accepts it.
    @Test func newKeysWorkWithAsymmetricKeys() async throws {
        let emulator = try TestEmulator { $0.tokens.keys = Secret(BearerTests.keys) }
        let server = emulator.server.emulator
        #expect(try await send(emulator, .get, "/auth/v1/admin/users", key: server.secretKey.reveal()).status == 200)
    }

    /// No transcript contains the secret key.
    @Test func theSecretKeyIsMaskedInTheTranscript() async throws {
        let emulator = try TestEmulator()
        let secret = emulator.server.emulator.secretKey.reveal()
        _ = try await send(emulator, .get, "/auth/v1/admin/users", key: secret, ["Authorization": "Bearer \(secret)"])
        _ = try await send(emulator, .get, "/auth/v1/admin/users?apikey=\(secret)")
        let text = emulator.server.panel.shownTranscript.map { $0.text() }.joined(separator: "\n")
        #expect(text.contains("/auth/v1/admin/users") && !text.contains(secret))
    }

    /// A user's token is not a key, although the same secret has signed it.
    @Test func userTokenIsNotAcceptedAsAKey() async throws {
        let emulator = try TestEmulator()
        let bearer = try await emulator.person()["access_token"]
        #expect(try await send(emulator, .get, "/auth/v1/user", key: bearer)["message"] == "Invalid API key")
        let both = try await send(
            emulator, .get, "/auth/v1/user", key: emulator.server.emulator.anonKey, ["Authorization": "Bearer \(bearer)"])
        #expect(both.status == 200 && both["email"] == "ada@example.com")
    }

    /// Callers without a key open links of mails, redirects of providers and published keys.
    @Test(arguments: [
        "/auth/v1/verify?type=signup&token=x", "/auth/v1/authorize?provider=nope", "/auth/v1/callback",
        "/auth/v1/.well-known/jwks.json",
    ])
    func browserRoutesNeedNoKey(_ path: String) async throws {
        let open = try await send(try TestEmulator(), .get, path)
        #expect(open.status != 401 && open.json["hint"] == nil)
    }

    /// Kong answers a preflight before it checks for a key, and a page can read its errors.
    @Test func pagesCanReadTheError() async throws {
        let emulator = try TestEmulator()
        let preflight = try await send(
            emulator, .options, "/auth/v1/settings",
            [
                "Origin": "http://localhost:3000", "Access-Control-Request-Method": "GET",
                "Access-Control-Request-Headers": "apikey",
            ])
        #expect(preflight.status == 204 && preflight.response.headers["access-control-allow-origin"] == "*")
        let refused = try await send(emulator, .get, "/auth/v1/settings", ["Origin": "http://localhost:3000"])
        #expect(refused.status == 401 && refused.response.headers["access-control-allow-origin"] == "*")
    }

    /// GoTrue itself requires no key, and `/auth/v1x` is below no gateway.
    @Test func serverPathsNeedNoKey() async throws {
        let emulator = try TestEmulator()
        #expect(try await send(emulator, .get, "/settings").status == 200)
        #expect(try await send(emulator, .get, "/settings", key: "garbage").status == 200)
        #expect(try await send(emulator, .get, "/auth/v1x/settings").status == 404)
    }

    /// The platform's keys are signed with the secret, even if users' tokens are signed with another key.
    @Test func keysAreSignedWithTheSecretDespiteAsymmetricKeys() async throws {
        let emulator = try TestEmulator { $0.tokens.keys = Secret(BearerTests.keys) }
        #expect(try await send(emulator, .get, "/auth/v1/settings", key: emulator.server.emulator.anonKey).status == 200)
    }

    /// With keys for ES256 alone the server rejects tokens of the secret, so the ready line's keys are signed with the project's key.
    @Test func readyLineKeysWorkWithAsymmetricKeysOnly() async throws {
        let emulator = try TestEmulator { $0.tokens.keys = Secret(BearerTests.keys) }
        let server = emulator.server.emulator
        let service = server.serviceRoleKey.reveal()
        #expect(try await emulator.get("/admin/users", bearer: service).status == 200)
        #expect(server.variables["service_role"]?.string == service)
        let headers: HTTPHeaders = ["Authorization": "Bearer \(service)"]
        #expect(try await send(emulator, .get, "/auth/v1/admin/users", key: service, headers).status == 200)
        #expect(try await send(emulator, .get, "/auth/v1/settings", key: server.anonKey).status == 200)
    }

    /// The Supabase CLI signs `anon` and `service_role` with the project's own key.
    @Test(arguments: ["own", nil] as [String?])
    func keysSignedWithTheProjectsOwnKeyAreAccepted(_ id: String?) async throws {
        let emulator = try TestEmulator { $0.tokens.keys = Secret(BearerTests.keys) }
        var element = try #require(try JSON.parse(BearerTests.keys).array?.first?.object)
        element["kid"] = id.map(JSON.string)
        let key = try JSONWebKey(.object(element)).signingKey()
        for role in ["anon", "service_role"] {
            let token = try TokenWriter.sign(["role": .string(role), "iss": "supabase-demo", "exp": 1_983_812_996], with: key)
            #expect(try await send(emulator, .get, "/auth/v1/settings", key: token).status == 200, "\(role)")
        }
        let service = try TokenWriter.sign(["role": "service_role", "iss": "supabase-demo", "exp": 1_983_812_996], with: key)
        if id != nil {
            let headers: HTTPHeaders = ["Authorization": "Bearer \(service)"]
            #expect(try await send(emulator, .get, "/auth/v1/admin/users", key: service, headers).status == 200)
        }
        let user = try TokenWriter.sign(["role": "authenticated", "sub": "x"], with: key)
        let stranger = try SigningKey.makeP256(id: "own")
        let foreign = try TokenWriter.sign(["role": "service_role"], with: stranger)
        for refused in [user, foreign] {
            #expect(try await send(emulator, .get, "/auth/v1/settings", key: refused)["message"] == "Invalid API key")
        }
        // The gateway still accepts keys that are signed with the secret.
        #expect(try await send(emulator, .get, "/auth/v1/settings", key: try Self.key(role: "anon")).status == 200)
    }
}
