public import Lockstep
internal import LockstepHTTP
internal import LockstepPrimitives
internal import LockstepTokens
internal import LockstepWire

extension TestBackend {
    /// Creates a backend that acts as a Clerk instance.
    ///
    /// ```swift
    /// let backend = try TestBackend.clerk(url: "https://clerk.orders.example")
    /// let verifier = try SessionVerifier.clerk(
    ///     url: "https://clerk.orders.example", authorizedParties: [], nativeApps: true, transport: backend)
    /// print(try await verifier.verify(backend.token(for: TestUser("user-1"))).userID)
    /// ```
    ///
    /// - Parameters:
    ///   - url: The URL of the instance's Frontend API, the same as in the verifier.
    ///   - page: The origin of the web page for which tokens are made (`azp`); `nil` for a native app.
    ///   - audience: The `aud`, if the instance adds one to its session tokens. Default: none.
    ///   - backendURL: The URL of the Backend API, the same as in the verifier.
    ///   - key: The key that signs the tokens. Default: a new RSA key, which takes up to 300 ms.
    ///   - clock: The clock for the dates in the tokens, the same as in the verifier.
    ///   - randomness: The source of randomness for ids.
    /// - Throws: `invalidConfiguration` if a URL is invalid, or if libcrypto cannot make a key.
    public static func clerk(
        url: String, page: String? = nil, audience: String? = nil, backendURL: String = "https://api.clerk.com",
        signedBy key: SigningKey? = nil, clock: any DeviceClock = SystemClock(),
        randomness: any Randomness = SystemRandomness()
    ) throws(AuthError) -> TestBackend {
        let wire = ClerkWire(
            base: try BackendAddress(url, called: "front-end API's address").dropping("/v1").url,
            backend: try BackendAddress(backendURL, called: "back-end API's address").dropping("/v1").url, page: page,
            audience: audience)
        return try TestBackend(
            wire, key: key, or: { () throws(TokenError) in try .makeRSA(id: "test") }, clock: clock, randomness: randomness)
    }
}

private struct ClerkWire: TestWire {
    let base: String
    let backend: String
    let page: String?
    let audience: String?
    let life = Duration.seconds(60)

    func newSessionID(_ randomness: any Randomness) -> String { "sess_" + randomness.text(27) }

    /// The claims of the second version (https://clerk.com/docs/guides/sessions/session-tokens).
    func claims(of user: TestUser, session: String, now: Instant) -> JSONObject {
        let minutes = JSON.int(user.signInAge.components.seconds / 60)
        var claims: JSONObject = [:]
        claims["azp"] = page.map(JSON.string)
        claims["aud"] = audience.map(JSON.string)
        claims["fea"] = ""
        claims["fva"] = [minutes, user.hasSecondFactor ? minutes : -1]
        claims["iss"] = .string(base)
        claims["jti"] = .string(session.dropFirst("sess_".count).description)
        claims["nbf"] = .int(now.seconds - 10)
        claims["o"] = user.organizationID.map { ["id": .string($0), "slg": .string($0), "rol": "member"] }
        claims["pla"] = "u:free"
        claims["sid"] = .string(session)
        claims["sts"] = "active"
        claims["sub"] = .string(user.id)
        claims["v"] = 2
        claims["act"] = user.actorID.map { ["sub": .string($0)] }
        return claims
    }

    func question(_ request: HTTPRequest) -> TestBackend.Question? {
        let sessions = backend + "/v1/sessions/"
        if request.url == base + "/.well-known/jwks.json" { return .keys }
        return request.url.hasPrefix(sessions) ? .session(String(request.url.dropFirst(sessions.count))) : nil
    }

    func answer(_ session: TestBackend.Session?) -> HTTPResponse {
        guard let session else {
            return HTTPResponse(404, ["errors": [["code": "resource_not_found", "message": "not found"]]])
        }
        return HTTPResponse(
            200,
            [
                "object": "session", "id": .string(session.id), "user_id": .string(session.userID),
                "status": session.isEnded ? "ended" : "active",
            ])
    }
}
