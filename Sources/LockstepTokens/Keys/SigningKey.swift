@_exported public import LockstepCrypto
public import LockstepPrimitives

/// A key that signs tokens, with exactly one algorithm.
///
/// ```swift
/// let key = try SigningKey.makeP256(id: "2026-01")
/// let claims: JSONObject = ["iss": "https://orders.example", "sub": "user-1"]
/// let token = try TokenWriter.sign(claims, with: key)
/// ```
public struct SigningKey: Sendable {
    /// The `kid` of the tokens that the key signs; `nil` if the tokens have no `kid`.
    public let id: String?
    /// The algorithm of the key.
    public let algorithm: SignatureAlgorithm
    let material: Material

    enum Material: Sendable {
        case secret([UInt8])
        case rsa(RSAPrivateKey)
        case p256(P256PrivateKey)
        case ed25519(Ed25519PrivateKey)
    }

    init(id: String?, algorithm: SignatureAlgorithm, material: Material) {
        self.id = id
        self.algorithm = algorithm
        self.material = material
    }

    /// Creates a key for HS256 from a shared secret.
    ///
    /// RFC 7518 requires at least 32 bytes. A shorter secret is accepted, because some providers use shorter secrets.
    ///
    /// - Parameters:
    ///   - secret: The shared secret.
    ///   - id: The `kid` of the tokens that the key signs. Default: none.
    /// - Returns: The key.
    public static func secret(_ secret: Secret, id: String? = nil) -> SigningKey {
        SigningKey(id: id, algorithm: .hs256, material: .secret(Array(secret.reveal().utf8)))
    }

    /// Creates a key for RS256.
    ///
    /// - Parameters:
    ///   - key: The RSA key.
    ///   - id: The `kid` of the tokens that the key signs. Default: none.
    /// - Returns: The key.
    public static func rsa(_ key: RSAPrivateKey, id: String? = nil) -> SigningKey {
        SigningKey(id: id, algorithm: .rs256, material: .rsa(key))
    }

    /// Creates a key for ES256.
    ///
    /// - Parameters:
    ///   - key: The P-256 key.
    ///   - id: The `kid` of the tokens that the key signs. Default: none.
    /// - Returns: The key.
    public static func p256(_ key: P256PrivateKey, id: String? = nil) -> SigningKey {
        SigningKey(id: id, algorithm: .es256, material: .p256(key))
    }

    /// Creates a key for EdDSA.
    ///
    /// - Parameters:
    ///   - key: The Ed25519 key.
    ///   - id: The `kid` of the tokens that the key signs. Default: none.
    /// - Returns: The key.
    public static func ed25519(_ key: Ed25519PrivateKey, id: String? = nil) -> SigningKey {
        SigningKey(id: id, algorithm: .edDSA, material: .ed25519(key))
    }

    /// The key that verifies the signatures of this key.
    ///
    /// If this key is a shared secret, the verification key is the same secret.
    public var verificationKey: VerificationKey {
        let half: VerificationKey.Material =
            switch material {
            case .secret(let secret): .secret(secret)
            case .rsa(let key): .rsa(key.publicKey)
            case .p256(let key): .p256(key.publicKey)
            case .ed25519(let key): .ed25519(key.publicKey)
            }
        return VerificationKey(id: id, algorithm: algorithm, material: half)
    }

    /// Signs a message.
    ///
    /// - Parameter message: The message.
    /// - Returns: The signature.
    /// - Throws: ``TokenError`` with `invalidKey` if libcrypto fails.
    public func sign(_ message: [UInt8]) throws(TokenError) -> [UInt8] {
        do throws(CryptoError) {
            return switch material {
            case .secret(let secret): algorithm.hash.authenticate(message, key: secret)
            case .rsa(let key): try key.sign(message, hash: algorithm.hash)
            case .p256(let key): try key.sign(message)
            case .ed25519(let key): try key.sign(message)
            }
        } catch {
            throw TokenError(.invalidKey, "The key cannot sign: \(error.message)")
        }
    }
}

extension SigningKey: CustomStringConvertible, CustomReflectable {
    /// The id and the algorithm as text, never the key itself.
    public var description: String { "SigningKey(\(algorithm.rawValue), id: \(id ?? "none"))" }

    /// A mirror without the key.
    public var customMirror: Mirror { Mirror(self, children: ["id": id as Any, "algorithm": algorithm], displayStyle: .struct) }
}
