public import LockstepPrimitives

/// A user with the tokens that stand for them.
public struct Session: Sendable, Hashable, Codable {
    /// The provider's id of the session, where it tells.
    public var id: String?
    /// The adapter that made it.
    public var provider: String
    /// The user.
    public var user: User
    /// What goes along with requests to the app's own server.
    public var accessToken: Secret
    /// What new access tokens are got with; for Clerk the client token.
    public var refreshToken: Secret
    /// How long the access token lives.
    public var lifetime: TokenLifetime
    /// Whether a second factor was given.
    public var assurance: Assurance
    /// The claims of the access token, as they stood in it; not verified here, and not to be trusted by a server.
    ///
    /// Where the token says whom it is about, `sub` is the id of ``user``: the client takes no session in which it is another's.
    public var claims: JSONObject

    /// How strongly the user has signed in.
    public enum Assurance: String, Sendable, Codable { case oneFactor, twoFactors }

    /// A session.
    public init(
        id: String? = nil, provider: String, user: User, accessToken: Secret, refreshToken: Secret, lifetime: TokenLifetime,
        assurance: Assurance = .oneFactor, claims: JSONObject = [:]
    ) {
        self.id = id
        self.provider = provider
        self.user = user
        self.accessToken = accessToken
        self.refreshToken = refreshToken
        self.lifetime = lifetime
        self.assurance = assurance
        self.claims = claims
    }
}

extension Session {
    /// The user whom the access token is about, as it says itself; `nil` where it does not tell, as one does that is no JSON Web Token.
    public var subject: String? { claims["sub"]?.string }
}
