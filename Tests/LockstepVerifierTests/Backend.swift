import Lockstep
import LockstepClerkEmulator
import LockstepCurl
import LockstepEmulation
import LockstepFirebaseEmulator
import LockstepGoTrueEmulator
import LockstepHTTP
import LockstepPrimitives
import LockstepTestSupport
import LockstepTokens
import LockstepVerifier

/// A backend with one signed-in user, and the server that verifies the user's token.
struct Backend: Sendable {
    enum Provider: String, CaseIterable, Sendable { case firebase, goTrue, clerk }

    static let transport = CurlTransport()
    static let password = "Correct-Horse-1"
    /// The key of Firebase and Clerk, generated once because it takes up to 300 ms.
    private static let rsa = Result { try SigningKey.makeRSA(id: "shared") }

    let provider: Provider
    let clock: ManualClock
    /// The address of its server.
    let base: String
    let userID: String
    /// The token of the user's session.
    let token: Secret
    /// The key that signs the backend's tokens.
    let key: SigningKey
    /// The key for requests about sessions.
    let checkKey: Secret
    /// A verifier for the backend.
    let verifier: SessionVerifier
    /// A verifier that asks the backend about each token.
    let asking: SessionVerifier
    /// An administrator's calls.
    let admin: any EmulatorAdministrator
    let stop: @Sendable () -> Void

    private init(
        _ provider: Provider, _ clock: ManualClock, _ base: String, userID: String?, token: String?, _ key: SigningKey,
        checkKey: Secret, _ admin: any EmulatorAdministrator, stop: @escaping @Sendable () -> Void
    ) throws {
        (self.provider, self.clock, self.base, self.key, self.admin, self.stop) = (provider, clock, base, key, admin, stop)
        (self.userID, self.token, self.checkKey) = (userID ?? "", Secret(token ?? ""), checkKey)
        verifier = try Self.verifier(provider, base, .untilExpiry, Self.transport, clock)
        asking = try Self.verifier(provider, base, .session(key: checkKey), Self.transport, clock)
    }

    /// Starts a backend, and stops it after `body`.
    static func run(_ provider: Provider, _ body: @Sendable (Backend) async throws -> Void) async throws {
        let clock = ManualClock(base: FixedClock())
        let backend =
            switch provider {
            case .firebase: try await firebase(clock)
            case .goTrue: try await goTrue(clock)
            case .clerk: try await clerk(clock)
            }
        defer { backend.stop() }
        try await body(backend)
    }

    /// A verifier for the backend, with a transport of the test.
    func verifier(_ check: SessionVerifier.Check, over transport: some HTTPTransport = Backend.transport) throws
        -> SessionVerifier
    {
        try Self.verifier(provider, base, check, transport, clock)
    }

    private static func verifier(
        _ provider: Provider, _ base: String, _ check: SessionVerifier.Check, _ transport: some HTTPTransport,
        _ clock: ManualClock
    ) throws -> SessionVerifier {
        switch provider {
        case .firebase: try .firebase(project: "orders", url: base, check: check, transport: transport, clock: clock)
        case .goTrue: try .goTrue(url: base, check: check, transport: transport, clock: clock)
        case .clerk:
            try .clerk(
                url: base, authorizedParties: ["https://orders.example"], nativeApps: true, backendURL: base + "/v1",
                check: check, transport: transport, clock: clock)
        }
    }

    /// The claims of the user's token.
    func claims() throws -> JSONObject { try UnverifiedToken(token.reveal()).claims }

    /// The user's token with other claims, signed by the backend's key, or another one.
    func forged(by key: SigningKey? = nil, _ change: (inout JSONObject) -> Void) throws -> Secret {
        var claims = try claims()
        change(&claims)
        return Secret(try TokenWriter.sign(claims, with: key ?? self.key))
    }

    private static func firebase(_ clock: ManualClock) async throws -> Backend {
        let key = try rsa.get()
        var settings = FirebaseSettings(mode: .strict)
        settings.signingKey = key
        settings.project = "orders"
        let server = try FirebaseEmulator.start(settings, options(clock))
        try server.emulator.admin.createUser(email: "ada@example.com", password: Secret(password))
        let body: JSON = ["email": "ada@example.com", "password": .string(password), "returnSecureToken": true]
        let answer = try await json(
            HTTPRequest(
                .post, server.base + "/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword",
                headers: ["X-Goog-Api-Key": settings.apiKey], body: .json(body)))
        return try Backend(
            .firebase, clock, server.base, userID: answer["localId"]?.string, token: answer["idToken"]?.string, key,
            checkKey: Secret(settings.apiKey), server.emulator.admin, stop: { server.stop() })
    }

    /// - `issuer`: The issuer in its tokens; its address by default.
    static func goTrue(_ clock: ManualClock, issuer: String? = nil) async throws -> Backend {
        let key = try SigningKey.makeP256(id: "platform")
        var settings = try GoTrueSettings(environment: [("LOCKSTEP_PASSWORD_COST", "least")])
        settings.mail.confirmsByItself = true
        settings.tokens.issuer = issuer
        var published = try JSONWebKey(private: key).json.object ?? [:]
        published["key_ops"] = ["sign", "verify"]
        settings.tokens.keys = Secret(JSON.array([.object(published)]).text())
        let server = try GoTrueEmulator.start(settings, options: options(clock))
        let answer = try await json(
            HTTPRequest(
                .post, server.base + "/signup", body: .json(["email": "ada@example.com", "password": .string(password)])))
        return try Backend(
            .goTrue, clock, server.base, userID: answer["user"]?["id"]?.string, token: answer["access_token"]?.string, key,
            checkKey: Secret(server.emulator.anonKey), server.emulator.admin, stop: { server.stop() })
    }

    private static func clerk(_ clock: ManualClock) async throws -> Backend {
        let key = try rsa.get()
        let server = try ClerkEmulator.start(ClerkSettings(), options(clock), signingKey: key)
        let user = try await server.emulator.admin.createUser(
            email: "ada@example.com", password: Secret(password), isVerified: true)
        let headers: HTTPHeaders = ["Authorization": "Bearer " + server.emulator.secretKey.reveal()]
        let session = try await json(
            HTTPRequest(.post, server.base + "/v1/sessions", headers: headers, body: .json(["user_id": .string(user.id)])))
        let path = "/v1/sessions/\(session["id"]?.string ?? "")/tokens"
        let answer = try await json(HTTPRequest(.post, server.base + path, headers: headers, body: .json([:])))
        return try Backend(
            .clerk, clock, server.base, userID: user.id, token: answer["jwt"]?.string, key, checkKey: server.emulator.secretKey,
            server.emulator.admin, stop: { server.stop() })
    }

    private static func options(_ clock: ManualClock) -> EmulatorOptions {
        var options = EmulatorOptions()
        options.clock = clock
        return options
    }

    private static func json(_ request: HTTPRequest) async throws -> JSON {
        let response = try await transport.send(request)
        guard response.isSuccess else {
            throw TokenError(.missing, "\(request.url) answers \(response.status): \(response.text ?? "")")
        }
        return try response.json()
    }
}
