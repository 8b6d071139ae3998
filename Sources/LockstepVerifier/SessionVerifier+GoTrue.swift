internal import Lockstep
public import LockstepHTTP
internal import LockstepTokens
internal import LockstepWire

extension SessionVerifier {
    /// The kind of key that signs the tokens of a GoTrue project.
    public enum Signature: Sendable {
        /// The asymmetric keys (ES256, RS256) that the project publishes.
        case publishedKeys
        /// The project's legacy secret (HS256).
        ///
        /// Anyone who has the secret can create valid tokens, so it must stay on the server.
        case legacySecret(Secret)
    }

    /// The issuer (`iss`) of a GoTrue project's tokens.
    ///
    /// ```swift
    /// let verifier = try SessionVerifier.goTrue(
    ///     url: "https://auth.example.com", issuer: "https://issuer.example", transport: CurlTransport())
    /// print(try await verifier.verify(token).issuer)
    /// ```
    public enum Issuer: Sendable, Hashable, ExpressibleByStringLiteral {
        /// The issuer is the project's URL, as on the hosted platform.
        ///
        /// For a server outside `supabase.co`, it is the URL with or without `/auth/v1`. A gateway may add this path
        /// without the server's knowledge.
        case address
        /// The issuer is another text: the value of `GOTRUE_JWT_ISSUER` on a self-hosted server.
        case named(String)
        /// The tokens have no issuer, because a self-hosted server has no `GOTRUE_JWT_ISSUER`.
        ///
        /// The verifier rejects a token with an issuer. In this case only the keys identify the server. If another
        /// server signs with the same keys, its tokens sign in as any user. So set `GOTRUE_JWT_ISSUER` if you can.
        /// After that change, a verifier for both issuers accepts the old tokens until they expire.
        case absent

        /// Creates an issuer that is not the project's URL.
        ///
        /// - Parameter name: The issuer.
        public init(stringLiteral name: String) { self = .named(name) }
    }

    /// Creates a verifier for the access tokens of a GoTrue (Supabase Auth) project.
    ///
    /// A token must contain a user and a session. The project's own keys (`anon`, `service_role`) have the same format
    /// as tokens, but the verifier rejects them.
    ///
    /// ```swift
    /// let verifier = try SessionVerifier.goTrue(
    ///     url: "https://ref.supabase.co/auth/v1", check: .session(key: "sb_publishable_…", keptFor: .seconds(10)),
    ///     transport: CurlTransport())
    /// print(try await verifier.verify(token).userID)
    /// ```
    ///
    /// - Parameters:
    ///   - url: The URL of the auth API, such as `https://ref.supabase.co/auth/v1`. For a hosted project,
    ///     `https://ref.supabase.co` is also accepted.
    ///   - issuer: The `iss` of the tokens. Default: the project's URL.
    ///   - audience: The `aud` of the tokens. Default: `authenticated`.
    ///   - signature: The kind of key that signs the tokens. Default: the published keys.
    ///   - oauthClients: The accepted clients (`client_id`) of the project's OAuth server. Such a client is another app
    ///     that acts for the user. Default: none.
    ///   - check: The request that the verifier sends to the backend for each token. Default: none.
    ///   - transport: The transport that sends all requests.
    ///   - clock: The clock that decides whether a token is expired.
    /// - Returns: The verifier.
    /// - Throws: `invalidConfiguration` if a value is invalid; the message names the value.
    public static func goTrue(
        url: String, issuer: Issuer = .address, audience: String = "authenticated",
        signedBy signature: Signature = .publishedKeys,
        oauthClients: Set<String> = [], check: Check = .untilExpiry, transport: some HTTPTransport,
        clock: any DeviceClock = SystemClock()
    ) throws(AuthError) -> SessionVerifier {
        let name = "project's address"
        let base = try BackendAddress(url, called: name).adding("/auth/v1", onHostsOf: "supabase.co", called: name).url
        guard !audience.isEmpty, issuer != .named("") else {
            throw AuthError(
                .invalidConfiguration,
                "Issuer and audience must not be empty. If the server's tokens have no issuer, use `issuer: .absent`.")
        }
        var rules = TokenRules(
            issuers: [], audiences: .oneOf([audience]), leeway: leeway, requiredClaims: ["sub", "session_id"])
        switch issuer {
        case .address: rules.issuers = issuers(at: base)
        case .named(let name): rules.issuers = [name]
        case .absent: rules.takesNamelessIssuer = true
        }
        return SessionVerifier(
            Project(
                keys: try keys(signature, base, transport, clock),
                rules: rules, clock: clock,
                read: { token throws(TokenError) in try VerifiedSession(goTrue: token, of: base, clients: oauthClients) },
                question: try check.question(by: clock) { key in
                    goTrueQuestion(base + "/user", key, SessionQuestion(transport: transport))
                }))
    }

    /// Returns the issuers that the tokens of a server at a URL may have.
    private static func issuers(at base: String) -> Set<String> {
        let path = "/auth/v1"
        guard HTTPRequest(.get, base).host?.lowercased().hasSuffix(".supabase.co") != true else { return [base] }
        return [base, base.hasSuffix(path) ? String(base.dropLast(path.count)) : base + path]
    }

    private static func keys(
        _ signature: Signature, _ base: String, _ transport: some HTTPTransport, _ clock: any DeviceClock
    ) throws(AuthError) -> Keys {
        switch signature {
        case .publishedKeys:
            return .published(RemoteKeySet(at: base + "/.well-known/jwks.json", over: transport, clock: clock))
        case .legacySecret(let secret):
            guard !secret.reveal().isEmpty else {
                throw AuthError(.invalidConfiguration, "The legacy secret is empty. Copy it from the project's settings.")
            }
            return .known([SigningKey.secret(secret).verificationKey])
        }
    }

    /// Returns the request `GET /user`, which looks up the session of the token.
    private static func goTrueQuestion(_ url: String, _ key: Secret, _ question: SessionQuestion) -> Question {
        { token, session throws(TokenError) in
            let headers: HTTPHeaders = ["Authorization": "Bearer " + token.reveal(), "apikey": key.reveal()]
            let (status, body) = try await question.send(HTTPRequest(.get, url, headers: headers))
            if status == 200, body["id"] == .string(session.userID) { return }
            let code = body["error_code"]?.string ?? ""
            guard ["session_not_found", "session_expired", "user_not_found", "user_banned"].contains(code) else {
                throw .unknown("status \(status)")
            }
            throw .ended
        }
    }
}

extension VerifiedSession {
    fileprivate init(goTrue token: VerifiedToken, of base: String, clients: Set<String>) throws(TokenError) {
        try self.init(token, nameless: base)
        if let client = claims["client_id"] {
            guard let name = client.string, clients.contains(where: { $0.exact == name.exact }) else {
                throw TokenError(.wrongAudience, "The token was issued to another app that acts for the user (client_id).")
            }
        }
        guard let id = claims["session_id"]?.string, !id.isEmpty else { throw .invalid("session_id") }
        sessionID = id
        email = claims["email"]?.string.flatMap { $0.isEmpty ? nil : $0 }
        phone = claims["phone"]?.string.flatMap { $0.isEmpty ? nil : $0 }
        isAnonymous = claims["is_anonymous"]?.bool == true
        hasSecondFactor = claims["aal"]?.string == "aal2"
        signedInAt = (claims["amr"]?.array ?? []).compactMap { Instant(signInDate: $0["timestamp"]) }.max()
    }
}
