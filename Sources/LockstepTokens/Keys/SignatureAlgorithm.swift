internal import LockstepCrypto

/// The signature algorithm of a token (RFC 7518 and RFC 8037).
///
/// The algorithm `none` is missing on purpose.
public enum SignatureAlgorithm: String, Sendable, Hashable, CaseIterable {
    /// HMAC with SHA-256.
    case hs256 = "HS256"
    /// HMAC with SHA-384.
    case hs384 = "HS384"
    /// HMAC with SHA-512.
    case hs512 = "HS512"
    /// RSA, PKCS#1 v1.5, with SHA-256.
    case rs256 = "RS256"
    /// RSA, PKCS#1 v1.5, with SHA-384.
    case rs384 = "RS384"
    /// RSA, PKCS#1 v1.5, with SHA-512.
    case rs512 = "RS512"
    /// ECDSA on P-256 with SHA-256.
    case es256 = "ES256"
    /// Ed25519.
    case edDSA = "EdDSA"

    var hash: HashFunction {
        switch self {
        case .hs256, .rs256, .es256: .sha256
        case .hs384, .rs384: .sha384
        case .hs512, .rs512, .edDSA: .sha512
        }
    }

    /// The type of the keys for this algorithm, as the `kty` of a JSON Web Key.
    var keyType: String {
        switch self {
        case .hs256, .hs384, .hs512: "oct"
        case .rs256, .rs384, .rs512: "RSA"
        case .es256: "EC"
        case .edDSA: "OKP"
        }
    }
}
