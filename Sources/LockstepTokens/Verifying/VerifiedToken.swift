public import LockstepPrimitives

/// A token whose signature and claims have been verified.
///
/// Only a verification creates one.
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
