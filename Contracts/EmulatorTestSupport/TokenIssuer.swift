public import Lockstep
public import LockstepContracts
public import LockstepPrimitives
internal import LockstepTokens

/// An identity provider of the harness, which signs ID tokens with a key that the backend knows.
public struct TokenIssuer: IdentityIssuer {
    /// The provider that it represents for the adapter.
    public let provider: IdentityProvider
    /// `iss` of its tokens.
    public let issuer: String
    /// `aud` of its tokens.
    public let audience: String
    /// The lifetime of its tokens.
    public let tokenLife = Duration.seconds(600)
    /// The clock that dates the tokens.
    private let clock: any DeviceClock
    private let key: SigningKey
    private let foreignKey: SigningKey

    /// Creates an issuer with its own keys.
    public init(_ provider: IdentityProvider, issuer: String, audience: String, keys: Keys, clock: any DeviceClock) {
        self.provider = provider
        self.issuer = issuer
        self.audience = audience
        self.clock = clock
        key = keys.own
        foreignKey = keys.foreign
    }

    /// A pair of keys, which never change and may be shared by several issuers.
    public struct Keys: Sendable {
        let own: SigningKey
        let foreign: SigningKey

        /// Creates the keys.
        public init() throws {
            own = try .makeRSA(id: "issuer-1")
            foreign = try .makeRSA(id: "issuer-1")
        }

        /// The key set for the backend's verification.
        public var published: JSON { JSONWebKeySet(publishing: [own]).json }

        /// A token with these claims.
        func sign(_ claims: JSONObject) throws -> String { try TokenWriter.sign(claims, with: own) }
    }

    /// Issues a token.
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
