import LockstepEmulation
import LockstepEmulatorTestSupport
import LockstepGoTrueEmulator
import LockstepHTTP
import LockstepPrimitives
import LockstepTokens

extension TestEmulator {
    var admin: String { server.emulator.serviceRoleKey.reveal() }

    func delete(_ path: String, bearer: String? = nil) async throws -> TestResponse {
        try await send(HTTPRequest(.delete, server.base + path, headers: Self.headers(bearer)))
    }

    func refresh(_ token: String) async throws -> TestResponse {
        try await post("/token?grant_type=refresh_token", ["refresh_token": .string(token)])
    }

    /// A confirmed user with the usual password, signed in.
    func person(_ email: String = "ada@example.com") async throws -> TestResponse {
        if try administrator.account(email: email) == nil {
            try administrator.createUser(email: email, password: Secret(Self.password))
        }
        return try await signIn(email)
    }

    /// The newest entries of the audit log.
    func audit(_ query: String = "") async throws -> [JSON] {
        try await get("/admin/audit" + query, bearer: admin).json.array ?? []
    }

    /// An authenticator app of a signed-in user, verified.
    ///
    /// - Returns: Its id and key, and the session with the higher assurance.
    func enrollApp(_ bearer: String) async throws -> (id: String, secret: String, session: TestResponse) {
        let factor = try await post("/factors", ["factor_type": "totp", "friendly_name": "app"], bearer: bearer)
        let secret = factor.json["totp"]?["secret"]?.string ?? ""
        return (factor["id"], secret, try await prove(factor["id"], secret, bearer))
    }

    /// Answers a new challenge with a code of an authenticator app.
    func prove(_ id: String, _ secret: String, _ bearer: String, spoiling: (String) -> String = { $0 }) async throws
        -> TestResponse
    {
        let challenge = try await post("/factors/\(id)/challenge", bearer: bearer)
        let code = spoiling(AuthenticatorApp(secret: secret).code(at: server.environment.now))
        let body: JSON = ["challenge_id": .string(challenge["id"]), "code": .string(code)]
        return try await post("/factors/\(id)/verify", body, bearer: bearer)
    }

    /// The current code of an authenticator app with this key.
    func code(of secret: String) -> String { AuthenticatorApp(secret: secret).code(at: server.environment.now) }

    /// A token with these claims, signed like the server's.
    static func sign(_ claims: JSONObject) throws -> String {
        try TokenWriter.sign(claims, with: .secret(GoTrueSettings().tokens.secret))
    }

    /// The claims of an access token.
    static func claims(_ token: String) -> JSON {
        let parts = token.split(separator: ".")
        guard parts.count == 3, let bytes = Base64.decode(parts[1], .url) else { return .null }
        return (try? JSON.parse(bytes)) ?? .null
    }
}
