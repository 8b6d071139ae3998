@_exported public import LockstepCrypto
public import LockstepPrimitives

/// A key that signs tokens, meant for exactly one algorithm.
public struct SigningKey: Sendable {
    /// The name that tokens give it in `kid`, if any.
    public let id: String?
    /// The one algorithm it is meant for.
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

    /// A shared secret for HS256; RFC 7518 wants at least 32 bytes, providers' own secrets are taken as they are.
    public static func secret(_ secret: Secret, id: String? = nil) -> SigningKey {
        SigningKey(id: id, algorithm: .hs256, material: .secret(Array(secret.reveal().utf8)))
    }

    /// A key for RS256.
    public static func rsa(_ key: RSAPrivateKey, id: String? = nil) -> SigningKey {
        SigningKey(id: id, algorithm: .rs256, material: .rsa(key))
    }

    /// A key for ES256.
    public static func p256(_ key: P256PrivateKey, id: String? = nil) -> SigningKey {
        SigningKey(id: id, algorithm: .es256, material: .p256(key))
    }

    /// A key for EdDSA.
    public static func ed25519(_ key: Ed25519PrivateKey, id: String? = nil) -> SigningKey {
        SigningKey(id: id, algorithm: .edDSA, material: .ed25519(key))
    }

    /// The key that verifies this key's signatures; a shared secret is its own.
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

    /// Signs `message`.
    ///
    /// - Throws: ``TokenError`` with `invalidKey` where libcrypto does not do it.
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
    /// Id and algorithm, never the key itself.
    public var description: String { "SigningKey(\(algorithm.rawValue), id: \(id ?? "none"))" }

    /// A mirror without the key.
    public var customMirror: Mirror { Mirror(self, children: ["id": id as Any, "algorithm": algorithm], displayStyle: .struct) }
}
