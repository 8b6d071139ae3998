public import LockstepPrimitives

/// An identity provider that the instance trusts.
public struct IdentityProvider: Sendable, Hashable {
    /// The name in strategies: `apple` in `oauth_apple` and `oauth_token_apple`.
    public var name: String
    /// The name for people.
    public var title: String
    /// The issuer that its tokens must name.
    public var issuer: String
    /// The audiences that its tokens may have; empty for any.
    public var audiences: Set<String>
    /// Its public keys, a JSON Web Key Set.
    public var keys: JSON
    /// The page that a browser is sent to for sign-in; `nil` for the emulator's own page.
    public var authorizationURL: String?
    /// Whether users of this provider may sign in and up by redirect.
    public var allowsRedirect = true
    /// Whether its ID tokens are taken directly (`oauth_token_…`, `google_one_tap`).
    public var allowsTokens = true

    /// A provider with its keys.
    public init(name: String, title: String? = nil, issuer: String, audiences: Set<String> = [], keys: JSON = ["keys": []]) {
        self.name = name
        self.title = title ?? name.prefix(1).uppercased() + name.dropFirst()
        self.issuer = issuer
        self.audiences = audiences
        self.keys = keys
    }
}
