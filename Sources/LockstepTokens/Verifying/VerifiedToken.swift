public import LockstepPrimitives

/// A token whose signature has been checked, and its claims by the rules that were given; only verifying makes one.
public struct VerifiedToken: Sendable, Hashable {
    /// The header.
    public let header: JSONObject
    /// The claims.
    public let claims: JSONObject

    init(_ token: UnverifiedToken) {
        header = token.header
        claims = token.claims
    }

    /// The claim `sub`.
    public var subject: String? { claims["sub"]?.string }
}
