internal import LockstepCrypto
public import LockstepPrimitives

/// A nonce for one sign-in by ID token.
///
/// Give ``hashed`` to the identity provider's sheet, which puts it into the token, and ``raw`` to the credential. The backend
/// checks that one is the SHA-256 of the other, so that a stolen token cannot be used in another flow.
public struct IDTokenNonce: Sendable {
    /// What the credential takes.
    public let raw: Secret
    /// What the identity provider's request takes: SHA-256 of ``raw``, lower-case hex.
    public let hashed: String

    /// A new nonce of 32 characters.
    public init(randomness: some Randomness) {
        self.init(raw: Secret(randomness.text(32)))
    }

    /// A nonce that was made elsewhere.
    public init(raw: Secret) {
        self.raw = raw
        hashed = Hex.encode(HashFunction.sha256.digest(Array(raw.reveal().utf8)))
    }
}
