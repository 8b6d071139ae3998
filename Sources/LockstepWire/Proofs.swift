public import Lockstep
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

/// The codes and links that this device has used, for providers that give one error for used, old and unknown ones.
///
/// Digests of the newest eight are among the notes of the device.
public struct SpentProofs {
    private let flow: FlowMemory
    private let note: String

    /// The proofs under a note of the device.
    public init(in flow: FlowMemory, note: String) {
        self.flow = flow
        self.note = note
    }

    /// Remembers that a proof was used.
    ///
    /// - Parameter address: whom it was sent to, where the same code may be sent to others.
    public func insert(_ proof: Secret, for address: String = "") {
        flow[device: note] = Secret(([digest(proof, address)] + digests).prefix(8).joined(separator: ","))
    }

    /// Whether this device has used the proof.
    public func contains(_ proof: Secret, for address: String = "") -> Bool { digests.contains(digest(proof, address)) }

    private var digests: [String] { flow[device: note]?.reveal().pieces(at: ",").map(String.init) ?? [] }

    private func digest(_ proof: Secret, _ address: String) -> String {
        FlowMemory.digest(address.isEmpty ? proof.reveal() : address.lowercased() + "\n" + proof.reveal())
    }
}

extension FlowMemory {
    /// A digest that identifies a text without revealing it: 32 hexadecimal digits.
    public static func digest(_ text: String) -> String { String(Hex.encode(HashFunction.sha256.digest(text)).prefix(32)) }
}
