internal import LockstepCrypto
public import LockstepPrimitives

/// A sign-in on an identity provider's web page.
///
/// ```swift
/// let credential = OAuthCredential(provider: .google, parameters: ["prompt": "select_account"])
/// let step = try await client.signIn(with: credential)
/// ```
public struct OAuthCredential: Credential {
    /// The identity provider.
    public var provider: IdentityProvider
    /// The scopes that the app requests in addition to the default scopes.
    public var scopes: [String]
    /// Further parameters for the provider's page, such as `prompt`, `login_hint` or `hd`.
    ///
    /// Pass the values unencoded. The client encodes them.
    public var parameters: [String: String]

    /// Creates a credential.
    ///
    /// - Parameters:
    ///   - provider: The identity provider.
    ///   - scopes: The scopes that the app requests in addition to the default scopes. Default: none.
    ///   - parameters: Further parameters for the provider's page. Default: none.
    public init(provider: IdentityProvider, scopes: [String] = [], parameters: [String: String] = [:]) {
        self.provider = provider
        self.scopes = scopes
        self.parameters = parameters
    }

    /// The capability `oauth`.
    public static var capability: Capability { .oauth }

    /// Returns the credential unchanged.
    ///
    /// - Returns: The credential.
    /// - Throws: `invalidInput` if a parameter has no name, or if it would replace a parameter that protects the
    ///   sign-in from other apps and devices.
    public func normalized() throws(AuthError) -> OAuthCredential {
        for name in parameters.keys.sorted() {
            guard !name.isEmpty else { throw AuthError(.invalidInput, "A parameter of the provider's page has no name.") }
            guard !Self.reserved.contains(name.lowercased()) else {
                throw AuthError(
                    .invalidInput,
                    "The parameter \(name) belongs to the redirect itself, and the client sets it. Remove it. Scopes have a separate parameter."
                )
            }
        }
        return self
    }

    /// The parameters that RFC 6749, RFC 7636, RFC 9101 and the backends' own requests use.
    private static let reserved: Set<String> = [
        "client_id", "client_secret", "code", "code_challenge", "code_challenge_method", "code_verifier", "grant_type",
        "invite_token", "provider", "redirect_to", "redirect_uri", "redirect_url", "request", "request_uri", "response_mode",
        "response_type", "scope", "scopes", "skip_http_redirect", "state",
    ]
}

extension Credential where Self == OAuthCredential {
    /// A sign-in on an identity provider's web page.
    ///
    /// - Parameters:
    ///   - provider: The identity provider.
    ///   - scopes: The scopes that the app requests in addition to the default scopes. Default: none.
    ///   - parameters: Further parameters for the provider's page. Default: none.
    /// - Returns: The credential.
    public static func oauth(
        _ provider: IdentityProvider, scopes: [String] = [], parameters: [String: String] = [:]
    ) -> OAuthCredential {
        OAuthCredential(provider: provider, scopes: scopes, parameters: parameters)
    }
}

/// A sign-in with an ID token from an identity provider's system dialog.
///
/// ```swift
/// _ = try await client.signIn(with: .idToken(.google, token: token))
/// ```
public struct IDTokenCredential: Credential {
    /// The identity provider that issued the token.
    public var provider: IdentityProvider
    /// The ID token.
    public var token: Secret
    /// The raw nonce that the app created for the dialog.
    ///
    /// The token contains the SHA-256 of this nonce, as hexadecimal digits in lower case (``IDTokenNonce``).
    public var nonce: Secret?
    /// The user's name.
    ///
    /// Apple returns the name only at the first sign-in, outside the token.
    public var name: String?
    /// The authorization code from the dialog.
    ///
    /// A server can use the code to revoke the authorization when the user deletes the account.
    public var authorizationCode: Secret?

    /// Creates a credential.
    ///
    /// - Parameters:
    ///   - provider: The identity provider that issued the token.
    ///   - token: The ID token.
    ///   - nonce: The raw nonce that the app created for the dialog.
    ///   - name: The user's name.
    ///   - authorizationCode: The authorization code from the dialog.
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

    /// Returns the credential unchanged.
    ///
    /// - Returns: The credential.
    /// - Throws: `invalidInput` if the token is empty.
    public func normalized() throws(AuthError) -> IDTokenCredential {
        guard !token.isEmpty else { throw AuthError(.invalidInput, "The ID token is empty.") }
        var copy = self
        copy.name = name?.trimmingPlainSpace()
        if copy.name?.isEmpty == true { copy.name = nil }
        return copy
    }
}

extension Credential where Self == IDTokenCredential {
    /// A sign-in with an ID token from an identity provider.
    ///
    /// - Parameters:
    ///   - provider: The identity provider that issued the token.
    ///   - token: The ID token.
    ///   - nonce: The raw nonce that the app created for the dialog.
    ///   - name: The user's name.
    ///   - authorizationCode: The authorization code from the dialog.
    /// - Returns: The credential.
    public static func idToken(
        _ provider: IdentityProvider, token: Secret, nonce: Secret? = nil, name: String? = nil, authorizationCode: Secret? = nil
    ) -> IDTokenCredential {
        IDTokenCredential(provider: provider, token: token, nonce: nonce, name: name, authorizationCode: authorizationCode)
    }
}

/// A nonce for one sign-in with an ID token.
///
/// Pass ``hashed`` to the identity provider's dialog, which puts it into the token. Pass ``raw`` to the credential. The
/// backend checks that ``hashed`` is the SHA-256 of ``raw``. So a stolen token cannot be used in another sign-in.
///
/// ```swift
/// let nonce = IDTokenNonce(randomness: SystemRandomness())
/// appleRequest.nonce = nonce.hashed
/// let step = try await client.signIn(with: .idToken(.apple, token: token, nonce: nonce.raw))
/// ```
public struct IDTokenNonce: Sendable {
    /// The nonce that the app passes to the credential.
    public let raw: Secret
    /// The nonce that the app passes to the identity provider's dialog.
    ///
    /// The nonce is the SHA-256 of ``raw``, as hexadecimal digits in lower case.
    public let hashed: String

    /// Creates a new random nonce of 32 characters.
    ///
    /// - Parameter randomness: The source of randomness.
    public init(randomness: some Randomness) {
        self.init(raw: Secret(randomness.text(32)))
    }

    /// Creates the value from an existing nonce.
    ///
    /// - Parameter raw: The raw nonce.
    public init(raw: Secret) {
        self.raw = raw
        hashed = Hex.encode(HashFunction.sha256.digest(Array(raw.reveal().utf8)))
    }
}
