public import LockstepPrimitives

/// A user with the tokens of one sign-in.
public struct Session: Sendable, Hashable, Codable {
    /// The provider's id of the session, where it gives one.
    public var id: String?
    /// The adapter that made it.
    public var provider: String
    /// The user.
    public var user: User
    /// Bearer token for your API.
    public var accessToken: Secret
    /// Token used to obtain new access tokens; for Clerk the client token.
    public var refreshToken: Secret
    /// How long the access token lives.
    public var lifetime: TokenLifetime
    /// Whether a second factor was given.
    public var assurance: Assurance
    /// The claims of the access token, as they stood in it; not verified here, and not to be trusted by a server.
    ///
    /// Where the token has a subject, `sub` is the id of ``user``: the client rejects a session in which it is another user's.
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
    /// The subject of the access token; `nil` where it has none, as with a token that is no JSON Web Token.
    public var subject: String? { claims["sub"]?.string }
}
