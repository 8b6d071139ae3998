public import Lockstep
public import LockstepContracts
public import LockstepPrimitives
internal import LockstepTokens

/// An identity provider of the harness.
///
/// The identity provider signs ID tokens with a key that the backend trusts.
public struct TokenIssuer: IdentityIssuer {
    /// The identity provider of the tokens, with the name that the adapter uses.
    public let provider: IdentityProvider
    /// The issuer in the tokens (`iss`).
    public let issuer: String
    /// The audience of the tokens (`aud`).
    public let audience: String
    /// The lifetime of the tokens.
    public let tokenLife = Duration.seconds(600)
    /// The clock for the dates in the tokens.
    private let clock: any DeviceClock
    private let key: SigningKey
    private let foreignKey: SigningKey

    /// Creates an issuer.
    ///
    /// - Parameters:
    ///   - provider: The identity provider, with the name that the adapter uses.
    ///   - issuer: The issuer in the tokens (`iss`).
    ///   - audience: The audience of the tokens (`aud`).
    ///   - keys: The keys that sign the tokens.
    ///   - clock: The clock for the dates in the tokens.
    public init(_ provider: IdentityProvider, issuer: String, audience: String, keys: Keys, clock: any DeviceClock) {
        self.provider = provider
        self.issuer = issuer
        self.audience = audience
        self.clock = clock
        key = keys.own
        foreignKey = keys.foreign
    }

    /// The keys of an issuer.
    ///
    /// The keys never change. Several issuers may share the same keys.
    public struct Keys: Sendable {
        let own: SigningKey
        let foreign: SigningKey

        /// Creates keys.
        ///
        /// - Throws: The error that occurred when the keys were created.
        public init() throws {
            own = try .makeRSA(id: "issuer-1")
            foreign = try .makeRSA(id: "issuer-1")
        }

        /// The public keys that a backend uses to check the tokens.
        public var published: JSON { JSONWebKeySet(publishing: [own]).json }

        /// Returns a token with these claims.
        func sign(_ claims: JSONObject) throws -> String { try TokenWriter.sign(claims, with: own) }
    }

    /// Issues an ID token.
    ///
    /// - Parameters:
    ///   - subject: The person that the token describes.
    ///   - flaw: The fault in the token; `nil` for a valid token.
    /// - Throws: The error that occurred when the token was signed.
    public func idToken(for subject: IdentitySubject, flaw: IDTokenFlaw?) async throws -> Secret {
        let now = clock.now.seconds
        let isExpired = flaw == .expired
        var claims: JSONObject = [
            "iss": .string(flaw == .wrongIssuer ? "https://issuer.invalid" : issuer),
            "aud": .string(flaw == .wrongAudience ? "another-app" : audience), "sub": .string(subject.id),
            "iat": .int(isExpired ? now - 7200 : now), "exp": .int(isExpired ? now - 3600 : now + tokenLife.components.seconds),
        ]
        if let email = subject.email {
            claims["email"] = .string(email)
            claims["email_verified"] = .bool(subject.isEmailVerified)
        }
        if let nonce = subject.nonce { claims["nonce"] = .string(nonce) }
        if let name = subject.name { claims["name"] = .string(name) }
        return Secret(try TokenWriter.sign(claims, with: flaw == .foreignKey ? foreignKey : key))
    }
}
