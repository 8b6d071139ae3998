public import Lockstep
public import LockstepPrimitives

/// An identity provider of the harness, which the backend trusts.
public protocol IdentityIssuer: Sendable {
    /// The identity provider for which it issues tokens, as the adapter names it.
    var provider: IdentityProvider { get }
    /// The lifetime of the ID tokens.
    var tokenLife: Duration { get }

    /// Issues an ID token, which is dated by the clock of the backend.
    ///
    /// - Parameters:
    ///   - subject: The person whom the token is about.
    ///   - flaw: What is wrong with the token; `nil` for a valid token.
    /// - Returns: The token.
    /// - Throws: An error that ends the check.
    func idToken(for subject: IdentitySubject, flaw: IDTokenFlaw?) async throws -> Secret
}

/// A person at an identity provider, whom an ID token is about.
public struct IdentitySubject: Sendable, Hashable {
    /// The id that the identity provider gave to the person (`sub`).
    public var id: String
    /// The email address; `nil` if the token contains none.
    public var email: String?
    /// Whether the identity provider says that the email address is verified.
    public var isEmailVerified = true
    /// The claim `nonce` of the token.
    ///
    /// It is already hashed, if the clients of the provider hash it.
    public var nonce: String?
    /// The claim `name` of the token.
    ///
    /// Apple's tokens do not contain it.
    public var name: String?

    /// Creates a person.
    ///
    /// - Parameters:
    ///   - id: The id that the identity provider gave to the person.
    ///   - email: The email address; `nil` if the token contains none.
    ///   - nonce: The claim `nonce` of the token.
    ///   - name: The claim `name` of the token.
    public init(id: String, email: String? = nil, nonce: String? = nil, name: String? = nil) {
        self.id = id
        self.email = email
        self.nonce = nonce
        self.name = name
    }
}

/// A fault in an ID token, because of which a backend must reject it.
public enum IDTokenFlaw: String, Sendable, CaseIterable {
    /// The token is signed with a key that is not published, under the id of a published key.
    case foreignKey
    /// The token was issued for another app.
    case wrongAudience
    /// The token comes from another issuer.
    case wrongIssuer
    /// The token expired an hour ago.
    case expired
}
