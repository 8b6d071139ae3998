public import LockstepPrimitives

/// An identity provider whose tokens strict mode accepts.
public struct TrustedIssuer: Sendable {
    /// `iss` of its tokens.
    public var issuer: String
    /// The client ids of the project's apps there: `aud` must be one of them.
    public var audiences: [String]
    /// Its keys, as a JWK set.
    public var keys: JSON
    /// Whether a token without a nonce is refused, as Apple's are.
    public var needsNonce: Bool

    /// A provider by its parts.
    public init(issuer: String, audiences: [String], keys: JSON, needsNonce: Bool = false) {
        self.issuer = issuer
        self.audiences = audiences
        self.keys = keys
        self.needsNonce = needsNonce
    }
}
