internal import LockstepCrypto
public import LockstepPrimitives

/// Binds a link to the device that requested it (PKCE with `S256`, RFC 7636).
public struct ProofKey: Sendable {
    /// Stays on the device until the link comes back.
    public let verifier: Secret
    /// Goes out with the request for the message.
    public let challenge: String

    /// A new pair: 64 random bytes make a verifier of 86 characters.
    public init(_ randomness: any Randomness) {
        let text = Base64.encode(randomness.bytes(64), .url)
        verifier = Secret(text)
        challenge = Base64.encode(HashFunction.sha256.digest(text), .url)
    }
}
