internal import LockstepCrypto
internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepTokens

/// The gateway of the platform, which is in front of the server below `/auth/v1` and requires the project's key.
///
/// A key is the project's publishable or secret key (``ProjectKeys``), or a token with the role `anon` or
/// `service_role`. Such a token is signed with the secret or with a key of `GOTRUE_JWT_KEYS`, as the Supabase CLI
/// creates it. The key is in the header `apikey`, or in the query.
struct Gateway: Sendable {
    static let mount = "/auth/v1"

    let state: ServerState

    private static let roles = ["anon", "service_role"]

    /// The paths that browsers open and other servers read: links in emails, redirects to a provider and back,
    /// published keys.
    private static let open = ["/verify", "/callback", "/authorize", "/.well-known/", "/sso/saml/"]

    private static let missing = refusal(
        "No API key found in request", hint: "No `apikey` request header or url param was found.")
    private static let wrong = refusal(
        "Invalid API key", hint: "Double check your Supabase `anon` or `service_role` API key.")
    private static let unregistered = refusal(
        "Unregistered API key", hint: "Double check the provided API key as it is not registered for this project.")
    private static let inBrowser = refusal(
        "Forbidden use of secret API key in browser",
        hint: """
            Secret API keys can only be used in a protected environment and should never be used in a browser. Delete this secret API key \
            immediately!
            """
    ).with("sb-error-code", "UNAUTHORIZED_INVALID_API_KEY_TYPE")

    /// Returns whether a request is for the gateway.
    static func takes(_ request: EmulatorRequest) -> Bool {
        request.rawPath == mount || request.rawPath.hasPrefix(mount + "/")
    }

    /// Returns the gateway's own response to a request that it rejects.
    func refusal(of request: EmulatorRequest) -> EmulatorResponse? {
        guard Self.takes(request) else { return nil }
        let path = request.rawPath.dropFirst(Self.mount.count)
        guard !Self.open.contains(where: { path.hasPrefix($0) }) else { return nil }
        let key = request.headers["apikey"] ?? request.query["apikey"] ?? ""
        guard !key.isEmpty else { return Self.missing }
        switch state.projectKeys.role(of: key) {
        // The platform checks only this header (https://supabase.com/docs/guides/getting-started/api-keys).
        case .service?: return request.headers["user-agent"]?.hasPrefix("Mozilla/") == true ? Self.inBrowser : nil
        case .anonymous?: return nil
        case nil: return ProjectKeys.hasForm(of: key) ? Self.unregistered : isToken(key) ? nil : Self.wrong
        }
    }

    /// Returns the `Authorization` that the server behind the gateway gets.
    ///
    /// A publishable or secret key is not a token. If the header contains such a key, or is missing, the server gets a
    /// token of the key's role. A user's token is passed on unchanged (`docker/volumes/api/kong-entrypoint.sh` of
    /// supabase/supabase).
    func authorization(of request: EmulatorRequest) -> String? {
        let sent = request.headers["authorization"]
        guard Self.takes(request), sent == nil || sent?.hasPrefix("Bearer sb_") == true else { return sent }
        return request.headers["apikey"].flatMap(state.projectKeys.role).map { "Bearer " + state.projectKeys.token(of: $0) }
    }

    private func isToken(_ text: String) -> Bool {
        // The platform compares texts, so a key does not expire here.
        guard let token = try? TokenVerifier.verifySignature(of: text, keys: state.keys.checking) else { return false }
        return Self.roles.contains(token.claims["role"]?.string ?? "")
    }

    private static func refusal(_ message: String, hint: String) -> EmulatorResponse {
        .json(
            ["message": .string(message), "hint": .string(hint)], status: 401, contentType: "application/json; charset=utf-8")
    }
}

/// The project's publishable and secret keys, for the roles `anon` and `service_role`.
///
/// They come from the settings, or are derived from the secret. Derived keys are the same at each start, as the tokens
/// `anon` and `service_role` are.
struct ProjectKeys: Sendable {
    enum Role: String, Sendable {
        case anonymous = "anon"
        case service = "service_role"
    }

    static let publishablePrefix = "sb_publishable_"
    static let secretPrefix = "sb_secret_"

    let publishable: String
    let secret: Secret
    /// The tokens that the gateway passes to the server instead of a key.
    private let tokens: [Role: String]

    init(_ settings: TokenSettings, _ keys: TokenKeys) throws {
        publishable = settings.publishableKey ?? Self.derived(Self.publishablePrefix, settings.secret)
        secret = settings.secretKey ?? Secret(Self.derived(Self.secretPrefix, settings.secret))
        tokens = try Self.tokens(of: "supabase", with: keys.signing)
    }

    /// Returns a token for each role, which is signed once, because a signature with ES256 is different each time.
    static func tokens(of issuer: String, with key: SigningKey) throws -> [Role: String] {
        var tokens: [Role: String] = [:]
        for role in [Role.anonymous, .service] {
            let claims: JSONObject = [
                "iss": .string(issuer), "role": .string(role.rawValue), "iat": 1_700_000_000, "exp": 4_102_444_800,
            ]
            tokens[role] = try TokenWriter.sign(claims, with: key)
        }
        return tokens
    }

    /// Returns whether a text has the form of such a key.
    static func hasForm(of text: String) -> Bool { text.hasPrefix(publishablePrefix) || text.hasPrefix(secretPrefix) }

    /// Returns the role of a key; `nil` if the text is not a key.
    func role(of key: String) -> Role? {
        if ConstantTime.areEqual(key, publishable) { return .anonymous }
        return ConstantTime.areEqual(key, secret.reveal()) ? .service : nil
    }

    /// Returns the token for a role.
    func token(of role: Role) -> String { tokens[role] ?? "" }

    /// Returns 22 characters and a checksum of 8, as in the platform's keys (`docker/utils/add-new-auth-keys.sh` of
    /// supabase/supabase).
    private static func derived(_ prefix: String, _ secret: Secret) -> String {
        let code = HashFunction.sha256.authenticate(Array(prefix.utf8), key: Array(secret.reveal().utf8))
        let key = prefix + Base64.encode(code, .url).prefix(22)
        let checksum = Base64.encode(HashFunction.sha256.digest(Array("supabase-self-hosted|\(key)".utf8)), .url)
        return key + "_" + checksum.prefix(8)
    }
}
