public import LockstepCrypto
internal import LockstepPrimitives

/// A key that verifies signatures, meant for exactly one algorithm.
///
/// The algorithm belongs to the key and never to the token, so that no token can choose how it is verified.
public struct VerificationKey: Sendable {
    /// The name that tokens give it in `kid`, if any.
    public let id: String?
    /// The one algorithm it is meant for.
    public let algorithm: SignatureAlgorithm
    let material: Material

    enum Material: Sendable {
        case secret([UInt8])
        case rsa(RSAPublicKey)
        case p256(P256PublicKey)
        case ed25519(Ed25519PublicKey)
    }

    init(id: String?, algorithm: SignatureAlgorithm, material: Material) {
        self.id = id
        self.algorithm = algorithm
        self.material = material
    }

    /// A key for RS256.
    public static func rsa(_ key: RSAPublicKey, id: String? = nil) -> VerificationKey {
        VerificationKey(id: id, algorithm: .rs256, material: .rsa(key))
    }

    /// A key for ES256.
    public static func p256(_ key: P256PublicKey, id: String? = nil) -> VerificationKey {
        VerificationKey(id: id, algorithm: .es256, material: .p256(key))
    }

    /// A key for EdDSA.
    public static func ed25519(_ key: Ed25519PublicKey, id: String? = nil) -> VerificationKey {
        VerificationKey(id: id, algorithm: .edDSA, material: .ed25519(key))
    }

    /// Whether `signature` is one of this key for `message`.
    public func isValid(_ signature: [UInt8], for message: [UInt8]) -> Bool {
        switch material {
        case .secret(let secret): ConstantTime.areEqual(algorithm.hash.authenticate(message, key: secret), signature)
        case .rsa(let key): key.isValid(signature, for: message, hash: algorithm.hash)
        case .p256(let key): key.isValid(signature, for: message)
        case .ed25519(let key): key.isValid(signature, for: message)
        }
    }
}
