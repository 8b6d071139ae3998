public import Lockstep
internal import LockstepHTTP
internal import LockstepPrimitives
internal import LockstepTokens
internal import LockstepWire

extension TestBackend {
    /// Creates a backend that acts as a GoTrue (Supabase Auth) project.
    ///
    /// ```swift
    /// let backend = try TestBackend.goTrue(url: "https://ref.supabase.co/auth/v1")
    /// let verifier = try SessionVerifier.goTrue(url: "https://ref.supabase.co/auth/v1", transport: backend)
    /// print(try await verifier.verify(backend.token(for: TestUser("user-1"))).userID)
    /// ```
    ///
    /// - Parameters:
    ///   - url: The URL of the auth API, the same as in the verifier.
    ///   - issuer: The `iss` of the tokens, the same as in the verifier.
    ///   - audience: The `aud` of the tokens, the same as in the verifier.
    ///   - key: The key that signs the tokens. Use `.secret(…)` for a project with a legacy secret. Default: a new
    ///     P-256 key.
    ///   - clock: The clock for the dates in the tokens, the same as in the verifier.
    ///   - randomness: The source of randomness for ids.
    /// - Throws: `invalidConfiguration` if the URL is invalid, or if libcrypto cannot make a key.
    public static func goTrue(
        url: String, issuer: SessionVerifier.Issuer = .address, audience: String = "authenticated",
        signedBy key: SigningKey? = nil, clock: any DeviceClock = SystemClock(),
        randomness: any Randomness = SystemRandomness()
    ) throws(AuthError) -> TestBackend {
        let called = "project's address"
        let base = try BackendAddress(url, called: called).adding("/auth/v1", onHostsOf: "supabase.co", called: called).url
        let name: String? =
            switch issuer {
            case .address: base
            case .named(let name): name
            case .absent: nil
            }
        let wire = GoTrueWire(base: base, issuer: name, audience: audience)
        return try TestBackend(
            wire, key: key, or: { () throws(TokenError) in try .makeP256(id: "test") }, clock: clock, randomness: randomness)
    }
}

private struct GoTrueWire: TestWire {
    let base: String
    let issuer: String?
    let audience: String
    let life = Duration.seconds(3600)

    func newSessionID(_ randomness: any Randomness) -> String { randomness.uuid() }

    /// The claims of https://supabase.com/docs/guides/auth/jwt-fields.
    func claims(of user: TestUser, session: String, now: Instant) -> JSONObject {
        let signedIn = JSON.int((now - user.signInAge).seconds)
        let method = user.isAnonymous ? "anonymous" : user.email == nil && user.phone != nil ? "otp" : "password"
        let provider: JSON = user.email == nil && user.phone != nil ? "phone" : "email"
        var methods: [JSON] = [["method": .string(method), "timestamp": signedIn]]
        if user.hasSecondFactor { methods.insert(["method": "totp", "timestamp": signedIn], at: 0) }
        var claims: JSONObject = [:]
        claims["iss"] = issuer.map(JSON.string)
        claims["sub"] = .string(user.id)
        claims["aud"] = .string(audience)
        claims["email"] = .string(user.email ?? "")
        claims["phone"] = .string(user.phone ?? "")
        claims["app_metadata"] = user.isAnonymous ? [:] : ["provider": provider, "providers": [provider]]
        claims["user_metadata"] = [:]
        claims["role"] = "authenticated"
        claims["aal"] = user.hasSecondFactor ? "aal2" : "aal1"
        claims["amr"] = .array(methods)
        claims["session_id"] = .string(session)
        claims["is_anonymous"] = .bool(user.isAnonymous)
        return claims
    }

    func question(_ request: HTTPRequest) -> TestBackend.Question? {
        switch request.url {
        case base + "/.well-known/jwks.json": .keys
        case base + "/user": .token(String((request.headers["Authorization"] ?? "").dropFirst("Bearer ".count)))
        default: nil
        }
    }

    func answer(_ session: TestBackend.Session?) -> HTTPResponse {
        guard let session, !session.isEnded else {
            let code: JSON = session == nil ? "bad_jwt" : "session_not_found"
            return HTTPResponse(403, ["code": 403, "error_code": code, "msg": "The session of the token is not there."])
        }
        return HTTPResponse(200, ["id": .string(session.userID), "aud": .string(audience), "role": "authenticated"])
    }
}
