public import Lockstep
public import LockstepPrimitives

/// An identity provider of the harness, which the backend trusts.
public protocol IdentityIssuer: Sendable {
    /// The identity provider of the tokens, with the name that the adapter uses.
    var provider: IdentityProvider { get }
    /// The lifetime of the ID tokens.
    var tokenLife: Duration { get }

    /// Issues an ID token with a date from the clock of the backend.
    ///
    /// - Parameters:
    ///   - subject: The person that the token describes.
    ///   - flaw: The fault in the token; `nil` for a valid token.
    /// - Throws: An error that ends the check.
    func idToken(for subject: IdentitySubject, flaw: IDTokenFlaw?) async throws -> Secret
}

/// A person at an identity provider.
///
/// An ID token describes this person.
public struct IdentitySubject: Sendable, Hashable {
    /// The id that the identity provider gave to the person (`sub`).
    public var id: String
    /// The email address; `nil` if the token contains no email address.
    public var email: String?
    /// Whether the identity provider has verified the email address.
    public var isEmailVerified = true
    /// The claim `nonce` of the token.
    ///
    /// The value is already hashed if the clients of the provider hash the nonce.
    public var nonce: String?
    /// The claim `name` of the token.
    ///
    /// Apple's tokens do not contain this claim.
    public var name: String?

    /// Creates a person.
    ///
    /// - Parameters:
    ///   - id: The id that the identity provider gave to the person.
    ///   - email: The email address; `nil` if the token contains no email address.
    ///   - nonce: The claim `nonce` of the token.
    ///   - name: The claim `name` of the token.
    public init(id: String, email: String? = nil, nonce: String? = nil, name: String? = nil) {
        self.id = id
        self.email = email
        self.nonce = nonce
        self.name = name
    }
}

/// A fault in an ID token.
///
/// A backend must reject such a token.
public enum IDTokenFlaw: String, Sendable, CaseIterable {
    /// The token is signed with an unpublished key, but contains the id of a published key.
    case foreignKey
    /// The token was issued for another app.
    case wrongAudience
    /// The token comes from another issuer.
    case wrongIssuer
    /// The token expired an hour ago.
    case expired
}
