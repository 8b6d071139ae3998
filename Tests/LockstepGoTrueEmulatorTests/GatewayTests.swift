import LockstepEmulation
import LockstepGoTrueEmulator
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import LockstepTokens
import Testing

/// The platform's gateway, which stands before the server below `/auth/v1` and asks for the project's key.
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
    func withoutAKeyNothingGetsThrough(_ path: String) async throws {
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

    @Test func theKeysOfTheReadyLineAreTaken() async throws {
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

    /// A user's token is no key, though the same secret has signed it.
    @Test func aUsersTokenIsNoKey() async throws {
        let emulator = try TestEmulator()
        let bearer = try await emulator.person()["access_token"]
        #expect(try await send(emulator, .get, "/auth/v1/user", key: bearer)["message"] == "Invalid API key")
        let both = try await send(
            emulator, .get, "/auth/v1/user", key: emulator.server.emulator.anonKey, ["Authorization": "Bearer \(bearer)"])
        #expect(both.status == 200 && both["email"] == "ada@example.com")
    }

    /// Links of mails, redirects of providers and published keys are opened by who has no key.
    @Test(arguments: [
        "/auth/v1/verify?type=signup&token=x", "/auth/v1/authorize?provider=nope", "/auth/v1/callback",
        "/auth/v1/.well-known/jwks.json",
    ])
    func whatBrowsersOpenNeedsNoKey(_ path: String) async throws {
        let open = try await send(try TestEmulator(), .get, path)
        #expect(open.status != 401 && open.json["hint"] == nil)
    }

    /// Kong answers a preflight before it looks for a key, and its refusals can be read by a page.
    @Test func pagesCanReadTheRefusal() async throws {
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

    /// GoTrue itself asks for no key, and `/auth/v1x` is below no gateway.
    @Test func theServersOwnPathsNeedNone() async throws {
        let emulator = try TestEmulator()
        #expect(try await send(emulator, .get, "/settings").status == 200)
        #expect(try await send(emulator, .get, "/settings", key: "garbage").status == 200)
        #expect(try await send(emulator, .get, "/auth/v1x/settings").status == 404)
    }

    /// The platform's keys are signed with the secret, also where users' tokens are signed with a key of their own.
    @Test func keysStayTheSecretsBesideAsymmetricOnes() async throws {
        let emulator = try TestEmulator { $0.tokens.keys = Secret(BearerTests.keys) }
        #expect(try await send(emulator, .get, "/auth/v1/settings", key: emulator.server.emulator.anonKey).status == 200)
    }
}
