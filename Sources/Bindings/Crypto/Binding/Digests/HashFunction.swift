/// A cryptographic hash function.
public enum HashFunction: String, Sendable, CaseIterable {
    /// MD5 (RFC 1321): broken, here for the password hashes of old systems only.
    case md5
    /// SHA-1 (FIPS 180-4): broken for signatures, here for old password hashes and one-time codes only.
    case sha1
    /// SHA-224 (FIPS 180-4).
    case sha224
    /// SHA-256 (FIPS 180-4).
    case sha256
    /// SHA-384 (FIPS 180-4).
    case sha384
    /// SHA-512 (FIPS 180-4).
    case sha512

    /// The length of a digest in bytes.
    public var byteCount: Int {
        switch self {
        case .md5: 16
        case .sha1: 20
        case .sha224: 28
        case .sha256: 32
        case .sha384: 48
        case .sha512: 64
        }
    }

    /// The digest of a text's UTF-8.
    public func digest(_ text: String) -> [UInt8] {
        digest(Array(text.utf8))
    }
}
