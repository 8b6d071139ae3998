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
