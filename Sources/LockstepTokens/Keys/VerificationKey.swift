public import LockstepCrypto
internal import LockstepPrimitives

/// A key that verifies signatures, with exactly one algorithm.
///
/// The algorithm belongs to the key, not to the token. So a token cannot choose how it is verified.
///
/// ```swift
/// let key = try SigningKey.makeP256(id: "2026-01")
/// let publicKey = key.verificationKey
/// print(publicKey.algorithm)
/// ```
public struct VerificationKey: Sendable {
    /// The `kid` of the tokens that the key verifies; `nil` if the tokens have no `kid`.
    public let id: String?
    /// The algorithm of the key.
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

    /// Creates a key for RS256.
    ///
    /// - Parameters:
    ///   - key: The RSA key.
    ///   - id: The `kid` of the tokens that the key verifies. Default: none.
    /// - Returns: The key.
    public static func rsa(_ key: RSAPublicKey, id: String? = nil) -> VerificationKey {
        VerificationKey(id: id, algorithm: .rs256, material: .rsa(key))
    }

    /// Creates a key for ES256.
    ///
    /// - Parameters:
    ///   - key: The P-256 key.
    ///   - id: The `kid` of the tokens that the key verifies. Default: none.
    /// - Returns: The key.
    public static func p256(_ key: P256PublicKey, id: String? = nil) -> VerificationKey {
        VerificationKey(id: id, algorithm: .es256, material: .p256(key))
    }

    /// Creates a key for EdDSA.
    ///
    /// - Parameters:
    ///   - key: The Ed25519 key.
    ///   - id: The `kid` of the tokens that the key verifies. Default: none.
    /// - Returns: The key.
    public static func ed25519(_ key: Ed25519PublicKey, id: String? = nil) -> VerificationKey {
        VerificationKey(id: id, algorithm: .edDSA, material: .ed25519(key))
    }

    /// Returns whether a signature is valid for a message and this key.
    ///
    /// - Parameters:
    ///   - signature: The signature.
    ///   - message: The message.
    /// - Returns: Whether the signature is valid.
    public func isValid(_ signature: [UInt8], for message: [UInt8]) -> Bool {
        switch material {
        case .secret(let secret): ConstantTime.areEqual(algorithm.hash.authenticate(message, key: secret), signature)
        case .rsa(let key): key.isValid(signature, for: message, hash: algorithm.hash)
        case .p256(let key): key.isValid(signature, for: message)
        case .ed25519(let key): key.isValid(signature, for: message)
        }
    }
}
