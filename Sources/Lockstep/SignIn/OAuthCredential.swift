/// A round trip through an identity provider's pages in a browser.
public struct OAuthCredential: Credential {
    /// Whose pages.
    public var provider: IdentityProvider
    /// Further scopes to ask for.
    public var scopes: [String]

    /// A round trip to `provider`.
    public init(provider: IdentityProvider, scopes: [String] = []) {
        self.provider = provider
        self.scopes = scopes
    }

    /// The capability `oauth`.
    public static var capability: Capability { .oauth }

    /// Itself.
    public func normalized() throws(AuthError) -> OAuthCredential { self }
}

extension Credential where Self == OAuthCredential {
    /// A round trip through an identity provider's pages.
    public static func oauth(_ provider: IdentityProvider, scopes: [String] = []) -> OAuthCredential {
        OAuthCredential(provider: provider, scopes: scopes)
    }
}
