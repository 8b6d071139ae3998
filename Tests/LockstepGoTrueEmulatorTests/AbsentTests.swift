import LockstepEmulation
import LockstepGoTrueEmulator
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

/// Unsupported features return the real server's errors, after the check of the bearer token if the real server checks it first.
@Suite(.limitedConcurrency)
struct AbsentTests {
    enum Caller: Sendable, CaseIterable {
        case nobody
        case user
        case administrator
    }

    private func bearers(_ emulator: TestEmulator) async throws -> [Caller: String?] {
        [.nobody: nil, .user: try await emulator.person()["access_token"], .administrator: emulator.admin]
    }

    private func ask(_ emulator: TestEmulator, _ method: HTTPMethod, _ path: String, _ bearer: String?) async throws
        -> TestEmulator.TestResponse
    {
        if method == .get { return try await emulator.get(path, bearer: bearer) }
        return try await emulator.send(
            HTTPRequest(method, emulator.server.base + path, headers: TestEmulator.headers(bearer), body: .json([:])))
    }

    @Test(
        arguments: [
            (.get, "/oauth/authorizations/x", .nobody), (.post, "/oauth/authorizations/x/consent", .nobody),
            (.get, "/.well-known/oauth-authorization-server", .nobody), (.get, "/user/oauth/grants", .user),
            (.delete, "/user/oauth/grants", .user), (.get, "/admin/oauth/clients/x", .administrator),
            (.put, "/admin/oauth/clients/x", .administrator), (.delete, "/admin/oauth/clients/x", .administrator),
            (.post, "/admin/oauth/clients/x/regenerate_secret", .administrator),
            (.post, "/admin/custom-providers", .administrator),
        ] as [(HTTPMethod, String, Caller)])
    func unsupportedFeatureIsReported(_ method: HTTPMethod, _ path: String, _ caller: Caller) async throws {
        let emulator = try TestEmulator()
        let bearers = try await bearers(emulator)
        let told = try await ask(emulator, method, path, bearers[caller] ?? nil)
        #expect(told.status == 404 && told.code == "feature_disabled")
        guard caller != .nobody else { return }
        #expect(try await ask(emulator, method, path, nil).status == 401)
        guard caller == .administrator else { return }
        #expect(try await ask(emulator, method, path, bearers[.user] ?? nil).code == "not_admin")
    }

    @Test func customProvidersAreUnsupported() async throws {
        let emulator = try TestEmulator()
        #expect(try await emulator.get("/admin/custom-providers?type=oidc", bearer: emulator.admin).json == ["providers": []])
        let wrong = try await emulator.get("/admin/custom-providers?type=saml", bearer: emulator.admin)
        #expect(wrong.status == 400 && wrong["msg"] == "type must be either 'oauth2' or 'oidc'")
        let unnamed = try await emulator.get("/admin/custom-providers/x", bearer: emulator.admin)
        #expect(unnamed["msg"] == "identifier must start with 'custom:' prefix, e.g. 'custom:x'")
        let unknown = try await emulator.delete("/admin/custom-providers/custom:x", bearer: emulator.admin)
        #expect(unknown.status == 404 && unknown.code == "custom_provider_not_found")
        #expect(try await emulator.get("/admin/custom-providers").status == 401)
    }

    @Test(
        arguments: [
            (.get, "/passkeys"), (.patch, "/passkeys/x"), (.delete, "/passkeys/x"), (.post, "/passkeys/registration/options"),
            (.post, "/passkeys/registration/verify"), (.post, "/passkeys/authentication/options"),
        ] as [(HTTPMethod, String)])
    func disabledPasskeysAreReportedWithoutAToken(_ method: HTTPMethod, _ path: String) async throws {
        let emulator = try TestEmulator { $0.passkeys.isEnabled = false }
        let off = try await ask(emulator, method, path, nil)
        #expect(off.status == 404 && off.code == "passkey_disabled")
        let id = try emulator.administrator.createUser(email: "ada@example.com").id
        #expect(
            try await emulator.get("/admin/users/\(id)/passkeys", bearer: emulator.admin).json == [], "Administrators may look.")
    }
}
