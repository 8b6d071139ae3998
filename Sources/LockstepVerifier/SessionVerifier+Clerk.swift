internal import Lockstep
public import LockstepHTTP
internal import LockstepTokens
internal import LockstepWire

extension SessionVerifier {
    /// Creates a verifier for the session tokens of a Clerk instance.
    ///
    /// Clerk signs the tokens with RS256. The tokens have no `aud` unless the instance adds one. The claim `azp` is the
    /// web page for which a token was made (https://clerk.com/docs/backend-requests/manual-jwt). A token of a native
    /// app has no `azp`. If the browser sends no origin, a token for a web page has no `azp` either. The verifier
    /// rejects a token of a JWT template, because such a token contains no session.
    ///
    /// ```swift
    /// let verifier = try SessionVerifier.clerk(
    ///     url: "https://clerk.orders.example", authorizedParties: ["https://orders.example"], nativeApps: true,
    ///     transport: CurlTransport())
    /// print(try await verifier.verify(token).userID)
    /// ```
    ///
    /// - Parameters:
    ///   - url: The URL of the instance's Frontend API, such as `https://clerk.orders.example`. This URL is the issuer
    ///     of the tokens.
    ///   - authorizedParties: The accepted origins of web pages (`azp`), such as `https://orders.example`.
    ///   - nativeApps: Whether the verifier accepts tokens without `azp`, such as the tokens of native apps.
    ///   - audience: The accepted values of `aud`, if the instance adds one to its session tokens. Default: none.
    ///   - backendURL: The URL of the Backend API, with or without `/v1`, to which ``Check/session(key:keptFor:)``
    ///     sends its requests.
    ///   - check: The request that the verifier sends to the backend for each token. Default: none.
    ///   - transport: The transport that sends all requests.
    ///   - clock: The clock that decides whether a token is expired.
    /// - Returns: The verifier.
    /// - Throws: `invalidConfiguration` if a value is invalid; the message names the value.
    public static func clerk(
        url: String, authorizedParties: Set<String>, nativeApps: Bool, audience: Set<String> = [],
        backendURL: String = "https://api.clerk.com",
        check: Check = .untilExpiry, transport: some HTTPTransport, clock: any DeviceClock = SystemClock()
    ) throws(AuthError) -> SessionVerifier {
        let base = try BackendAddress(url, called: "front-end API's address").dropping("/v1").url
        let backend = try BackendAddress(backendURL, called: "back-end API's address").dropping("/v1").url
        for party in authorizedParties {
            let parts = party.split(separator: "/", omittingEmptySubsequences: false)
            guard parts.count == 3, ["https:", "http:"].contains(parts[0]), parts[1].isEmpty, !parts[2].isEmpty else {
                throw AuthError(
                    .invalidConfiguration,
                    "An authorized party must be an origin: only scheme and host, such as https://orders.example.")
            }
        }
        guard nativeApps || !authorizedParties.isEmpty else {
            throw AuthError(
                .invalidConfiguration,
                "No token would be accepted. List the origins of your pages, or accept the tokens of native apps.")
        }
        return SessionVerifier(
            Project(
                keys: .published(RemoteKeySet(at: base + "/.well-known/jwks.json", over: transport, clock: clock)),
                rules: TokenRules(
                    issuers: [base], audiences: audience.isEmpty ? .notInTokens : .oneOf(audience), leeway: leeway,
                    requiredClaims: ["sub", "sid", "iat"]),
                clock: clock,
                read: { token throws(TokenError) in
                    try VerifiedSession(clerk: token, parties: authorizedParties, nativeApps: nativeApps)
                },
                question: try check.question(by: clock) { key in
                    clerkQuestion(backend, key, SessionQuestion(transport: transport))
                }))
    }

    /// `GET /sessions/{id}` of the back-end API.
    private static func clerkQuestion(_ base: String, _ key: Secret, _ question: SessionQuestion) -> Question {
        { _, session throws(TokenError) in
            // The id comes from a signed token, but it must not change the path of the request.
            guard let id = session.sessionID, let path = try? BackendPath("/v1/sessions/\(id)").text() else {
                throw .invalid("sid")
            }
            let (status, body) = try await question.send(
                HTTPRequest(.get, base + path, headers: ["Authorization": "Bearer " + key.reveal()]))
            // Any other 404 comes from a gateway.
            if status == 404, body["errors"]?[0]?["code"] == "resource_not_found" { throw .ended }
            guard status == 200, let state = body["status"]?.string, body["user_id"] == .string(session.userID) else {
                throw .unknown("status \(status)")
            }
            switch state {
            case "active": return
            case "pending": throw .pending
            case "abandoned", "ended", "expired", "removed", "replaced", "revoked": throw .ended
            default: throw .unknown("the session has an unknown status")
            }
        }
    }
}

extension VerifiedSession {
    fileprivate init(clerk token: VerifiedToken, parties: Set<String>, nativeApps: Bool) throws(TokenError) {
        try self.init(token)
        if let party = claims["azp"], party != "" {
            guard let name = party.string, parties.contains(where: { $0.exact == name.exact }) else {
                throw TokenError(.wrongAudience, "The token was issued to a page that this server does not accept (azp).")
            }
        } else if !nativeApps {
            throw TokenError(
                .wrongAudience,
                "The token names no page (azp), like the token of a native app, but this server accepts only the tokens of pages."
            )
        }
        guard let id = claims["sid"]?.string, !id.isEmpty else { throw .invalid("sid") }
        sessionID = id
        // Tokens of version 1 have no `sts`. They are never created for a pending session.
        if let status = claims["sts"] {
            guard status.string == "active" else { throw .pending }
        }
        guard let issued = Instant(signInDate: claims["iat"]) else { throw .invalid("iat") }
        // `fva`: the minutes since the user verified the first and the second factor; -1 if never.
        let ages = claims["fva"]?.array?.map { $0.int ?? -1 } ?? []
        if let minutes = ages.filter({ (0...issued.seconds / 60).contains($0) }).min() {
            signedInAt = issued - .seconds(60 * minutes)
        }
        hasSecondFactor = ages.count > 1 && ages[1] >= 0
        actorID = claims["act"]?["sub"]?.string
        organizationID = claims["o"]?["id"]?.string ?? claims["org_id"]?.string
    }
}
