public import LockstepPrimitives

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
