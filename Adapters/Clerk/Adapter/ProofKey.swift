internal import LockstepCrypto
internal import LockstepPrimitives

/// Binds a link to the device that requested it (PKCE, RFC 7636).
struct ProofKey: Sendable {
    /// Stays on the device until the link comes back.
    let verifier: Secret
    /// Goes out with the request for the message.
    let challenge: String

    /// A new pair.
    init(_ randomness: any Randomness) {
        let text = Base64.encode(randomness.bytes(48), .url)
        verifier = Secret(text)
        challenge = Base64.encode(HashFunction.sha256.digest(text), .url)
    }
}
