public import LockstepPrimitives

/// A token with a verified signature and verified claims.
///
/// Only a verifier can create such a value.
///
/// ```swift
/// let token = try TokenVerifier(keys: [key], rules: rules).verify(text, at: SystemClock().now)
/// print(token.subject ?? "no subject")
/// ```
public struct VerifiedToken: Sendable, Hashable {
    /// The header.
    public let header: JSONObject
    /// The claims.
    public let claims: JSONObject

    init(_ token: UnverifiedToken) {
        header = token.header
        claims = token.claims
    }

    /// The user of the token, from the claim `sub`.
    public var subject: String? { claims["sub"]?.string }
}
