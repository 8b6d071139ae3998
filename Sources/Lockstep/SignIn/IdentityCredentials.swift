internal import LockstepCrypto
public import LockstepPrimitives

/// A round trip through an identity provider's pages in a browser.
public struct OAuthCredential: Credential {
    /// The identity provider.
    public var provider: IdentityProvider
    /// Further scopes to ask for.
    public var scopes: [String]
    /// Further parameters for the provider's page, such as `prompt`, `login_hint` or `hd`; they are encoded here.
    public var parameters: [String: String]

    /// A round trip to `provider`.
    public init(provider: IdentityProvider, scopes: [String] = [], parameters: [String: String] = [:]) {
        self.provider = provider
        self.scopes = scopes
        self.parameters = parameters
    }

    /// The capability `oauth`.
    public static var capability: Capability { .oauth }

    /// Itself.
    ///
    /// - Throws: `invalidInput` for a parameter without a name, and for one that binds the round trip to this app and device: a
    ///   backend may forward it instead of its own.
    public func normalized() throws(AuthError) -> OAuthCredential {
        for name in parameters.keys.sorted() {
            guard !name.isEmpty else { throw AuthError(.invalidInput, "A parameter of the provider's page has no name.") }
            guard !Self.reserved.contains(name.lowercased()) else {
                throw AuthError(
                    .invalidInput,
                    "The parameter \(name) belongs to the round trip itself and is set by the client. Leave it out; scopes have a place of their own."
                )
            }
        }
        return self
    }

    /// What RFC 6749, RFC 7636, RFC 9101 and the backends' own requests use.
    private static let reserved: Set<String> = [
        "client_id", "client_secret", "code", "code_challenge", "code_challenge_method", "code_verifier", "grant_type",
        "invite_token", "provider", "redirect_to", "redirect_uri", "redirect_url", "request", "request_uri", "response_mode",
        "response_type", "scope", "scopes", "skip_http_redirect", "state",
    ]
}

extension Credential where Self == OAuthCredential {
    /// A round trip through an identity provider's pages.
    public static func oauth(
        _ provider: IdentityProvider, scopes: [String] = [], parameters: [String: String] = [:]
    ) -> OAuthCredential {
        OAuthCredential(provider: provider, scopes: scopes, parameters: parameters)
    }
}

/// The ID token of an identity provider, as the platform's own sign-in sheet gives it.
public struct IDTokenCredential: Credential {
    /// Who issued the token.
    public var provider: IdentityProvider
    /// The token.
    public var token: Secret
    /// The raw nonce, whose SHA-256 in lower-case hex stands in the token (``IDTokenNonce``).
    public var nonce: Secret?
    /// The user's name, which Apple sends only once, beside the token.
    public var name: String?
    /// The code beside the token, with which a server can revoke the authorisation when the account is deleted.
    public var authorizationCode: Secret?

    /// A token with what came beside it.
    public init(
        provider: IdentityProvider, token: Secret, nonce: Secret? = nil, name: String? = nil, authorizationCode: Secret? = nil
    ) {
        self.provider = provider
        self.token = token
        self.nonce = nonce
        self.name = name
        self.authorizationCode = authorizationCode
    }

    /// The capability `idToken`.
    public static var capability: Capability { .idToken }

    /// The same, refused where the token is empty.
    public func normalized() throws(AuthError) -> IDTokenCredential {
        guard !token.isEmpty else { throw AuthError(.invalidInput, "The ID token is empty.") }
        var copy = self
        copy.name = name?.trimmingPlainSpace()
        if copy.name?.isEmpty == true { copy.name = nil }
        return copy
    }
}

extension Credential where Self == IDTokenCredential {
    /// The ID token of an identity provider.
    public static func idToken(
        _ provider: IdentityProvider, token: Secret, nonce: Secret? = nil, name: String? = nil, authorizationCode: Secret? = nil
    ) -> IDTokenCredential {
        IDTokenCredential(provider: provider, token: token, nonce: nonce, name: name, authorizationCode: authorizationCode)
    }
}

/// A nonce for one sign-in by ID token.
///
/// Give ``hashed`` to the identity provider's sheet, which puts it into the token, and ``raw`` to the credential. The backend
/// checks that one is the SHA-256 of the other, so that a stolen token cannot be used in another flow.
public struct IDTokenNonce: Sendable {
    /// What the credential takes.
    public let raw: Secret
    /// What the identity provider's request takes: SHA-256 of ``raw``, lower-case hex.
    public let hashed: String

    /// A new nonce of 32 characters.
    public init(randomness: some Randomness) {
        self.init(raw: Secret(randomness.text(32)))
    }

    /// A nonce that was made elsewhere.
    public init(raw: Secret) {
        self.raw = raw
        hashed = Hex.encode(HashFunction.sha256.digest(Array(raw.reveal().utf8)))
    }
}
