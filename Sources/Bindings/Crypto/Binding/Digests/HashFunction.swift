/// A cryptographic hash function.
public enum HashFunction: String, Sendable, CaseIterable {
    /// MD5 (RFC 1321).
    ///
    /// It is broken. Use it only to check password hashes of old systems.
    case md5
    /// SHA-1 (FIPS 180-4).
    ///
    /// It is broken for signatures. Use it only for password hashes of old systems and for one-time codes.
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

    /// Returns the digest of the UTF-8 bytes of a string.
    public func digest(_ text: String) -> [UInt8] {
        digest(Array(text.utf8))
    }
}
