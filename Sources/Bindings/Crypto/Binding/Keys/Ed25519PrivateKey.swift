#if canImport(CLockstepCrypto)
/// A private key for Ed25519 signatures (RFC 8032).
public struct Ed25519PrivateKey: Sendable {
    /// The 32 secret bytes from which the key is derived.
    public let seed: [UInt8]
    /// The public key.
    public let publicKey: Ed25519PublicKey
    private let handle: KeyHandle

    /// Creates a key from its seed.
    ///
    /// To make a new key, use 32 random bytes.
    ///
    /// - Throws: ``CryptoError`` with `invalidKey` for any other length.
    public init(seed: [UInt8]) throws(CryptoError) {
        guard seed.count == 32 else { throw CryptoError(.invalidKey, "An Ed25519 private key must have 32 bytes.") }
        self.seed = seed
        handle = try KeyHandle(privateDER: Self.prefix + seed)
        publicKey = try Ed25519PublicKey(der: handle.publicDER())
    }

    /// Reads a key from PKCS#8 without attributes.
    ///
    /// - Parameter der: The DER bytes.
    /// - Throws: ``CryptoError`` with `invalidKey`.
    public init(der: [UInt8]) throws(CryptoError) {
        guard der.starts(with: Self.prefix) else { throw CryptoError(.invalidKey, "The bytes are not an Ed25519 private key.") }
        try self.init(seed: Array(der.dropFirst(Self.prefix.count)))
    }

    /// Reads a key from a PEM block `PRIVATE KEY`.
    ///
    /// - Throws: ``CryptoError`` with `invalidKey`.
    public init(pem: String) throws(CryptoError) {
        try self.init(der: PEM.bytes(of: pem, ["PRIVATE KEY"]))
    }

    /// The key as PKCS#8.
    public var der: [UInt8] { Self.prefix + seed }

    /// The key as a PEM block `PRIVATE KEY`.
    public var pem: String { PEM(label: "PRIVATE KEY", bytes: der).text }

    /// Signs a message.
    ///
    /// Signing the same message again returns the same signature.
    ///
    /// - Throws: ``CryptoError`` with `unavailable`.
    public func sign(_ message: [UInt8]) throws(CryptoError) -> [UInt8] {
        try handle.sign(message, hash: nil)
    }

    /// The bytes before the secret in PKCS#8 for id-Ed25519 (RFC 8410).
    private static let prefix: [UInt8] = [
        0x30, 0x2e, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20,
    ]
}
#endif
