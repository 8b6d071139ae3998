public import Lockstep
public import LockstepPrimitives

/// An identity provider of the harness's own that the backend's project trusts.
public protocol IdentityIssuer: Sendable {
    /// The provider that the adapter knows it as.
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
    /// The address, as a verified one unless ``isEmailVerified`` is false.
    public var email: String?
    /// Whether the provider says of the address that it is verified.
    public var isEmailVerified = true
    /// The claim `nonce`, as it is to stand in the token: already hashed, where the provider's client hashes it.
    public var nonce: String?
    /// The claim `name`; Apple's tokens have none.
    public var name: String?

    /// A person.
    public init(id: String, email: String? = nil, nonce: String? = nil, name: String? = nil) {
        self.id = id
        self.email = email
        self.nonce = nonce
        self.name = name
    }
}

/// A flaw of an ID token.
public enum IDTokenFlaw: String, Sendable, CaseIterable {
    /// Signed by a key that the issuer does not publish, under the id of one that it does.
    case foreignKey
    /// Made for another app.
    case wrongAudience
    /// From another issuer.
    case wrongIssuer
    /// Ended an hour ago.
    case expired
}
