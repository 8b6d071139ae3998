internal import LockstepCrypto
internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepTokens

/// Makes and reads the project's ID tokens: unsigned in emulator mode, RS256 in strict mode.
struct TokenAuthority: Sendable {
    private let mode: FirebaseMode
    private let signingKey: Prepared<SigningKey>

    init(_ mode: FirebaseMode, _ signingKey: Prepared<SigningKey>) {
        self.mode = mode
        self.signingKey = signingKey
    }

    /// The key; `nil` until it is created.
    var key: SigningKey? { signingKey.current }

    /// Starts creating the key, so that the first sign-in does not wait for it.
    func prepare() {
        if mode == .strict { signingKey.prepare() }
    }

    /// Returns once tokens can be signed.
    func ready() async throws {
        if mode == .strict { _ = try await signingKey.value }
    }

    /// A token with these claims; in strict mode ``ready()`` must have returned before.
    func sign(_ claims: JSONObject) throws -> String {
        guard mode == .strict else { return TokenWriter.unsigned(claims) }
        guard let key else { throw APIError.inside("The signing key is not ready yet.") }
        return try TokenWriter.sign(claims, with: key)
    }

    /// The claims of a parsed ID token; in strict mode `nil` unless it is this server's and has not expired.
    func claims(of unverified: UnverifiedToken, _ token: String, project: String, now: Instant) -> JSONObject? {
        guard mode == .strict else { return unverified.claims }
        guard let key else { return nil }
        let rules = TokenRules(issuers: [IDTokenClaims.issuer(of: project)], audiences: [project])
        return (try? TokenVerifier(keys: [key.verificationKey], rules: rules).verify(token, at: now))?.claims
    }

    /// The keys that verify the project's tokens, as a JWK set.
    func keySet() async throws -> JSON {
        try await ready()
        return JSONWebKeySet(publishing: key.map { [$0] } ?? []).json
    }

    /// The same keys as certificates, by their ids.
    func certificates() async throws -> JSON {
        try await ready()
        guard let key, let id = key.id, let certificate = try Certificate.pem(of: key) else { return [:] }
        return .object([id: .string(certificate)])
    }
}
