internal import LockstepCrypto
internal import LockstepPrimitives

/// Binds a link to the device that requested it (PKCE, RFC 7636).
struct ProofKey: Sendable {
    /// Stays on the device until the link comes back.
    let verifier: Secret
    /// Goes out with the request for the message.
    let challenge: String

    /// A new pair: 64 random bytes make a verifier of 86 characters.
    init(_ randomness: any Randomness) {
        let text = Base64.encode(randomness.bytes(64), .url)
        verifier = Secret(text)
        challenge = Base64.encode(HashFunction.sha256.digest(text), .url)
    }

    /// The members that go into a request's body.
    var members: JSONObject { ["code_challenge": .string(challenge), "code_challenge_method": "s256"] }
}

extension JSONObject {
    /// Both objects' members.
    mutating func merge(_ other: JSONObject) {
        for member in other { self[member.name] = member.value }
    }
}
