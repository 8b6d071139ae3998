public import Lockstep
public import LockstepPrimitives

/// An identity provider of the harness, which the backend's project trusts.
public protocol IdentityIssuer: Sendable {
    /// The provider that it represents for the adapter.
    var provider: IdentityProvider { get }
    /// How long its ID tokens live.
    var tokenLife: Duration { get }

    /// Issues an ID token, dated by the backend's clock.
    func idToken(for subject: IdentitySubject, flaw: IDTokenFlaw?) async throws -> Secret
}

/// The subject of an ID token.
public struct IdentitySubject: Sendable, Hashable {
    /// The provider's id of the person (`sub`).
    public var id: String
    /// The address, which is verified unless ``isEmailVerified`` is false.
    public var email: String?
    /// Whether the provider reports the address as verified.
    public var isEmailVerified = true
    /// The claim `nonce` of the token, already hashed if the provider's client hashes it.
    public var nonce: String?
    /// The claim `name`; Apple's tokens have none.
    public var name: String?

    /// Creates a person.
    public init(id: String, email: String? = nil, nonce: String? = nil, name: String? = nil) {
        self.id = id
        self.email = email
        self.nonce = nonce
        self.name = name
    }
}

/// A flaw of an ID token.
public enum IDTokenFlaw: String, Sendable, CaseIterable {
    /// Signed with an unpublished key under the id of a published one.
    case foreignKey
    /// Issued for another app.
    case wrongAudience
    /// From another issuer.
    case wrongIssuer
    /// Expired an hour ago.
    case expired
}
