#if canImport(CLockstepCrypto)
/// A public key for Ed25519 signatures (RFC 8032).
public struct Ed25519PublicKey: Sendable {
    /// The key, 32 bytes.
    public let bytes: [UInt8]
    private let handle: KeyHandle

    /// Creates a key from its 32 bytes.
    ///
    /// - Throws: ``CryptoError`` with `invalidKey`.
    public init(_ bytes: [UInt8]) throws(CryptoError) {
        guard bytes.count == 32 else { throw CryptoError(.invalidKey, "An Ed25519 public key must have 32 bytes.") }
        self.bytes = bytes
        handle = try KeyHandle(publicDER: Self.prefix + bytes)
    }

    /// Reads a key from SubjectPublicKeyInfo.
    ///
    /// - Parameter der: The DER bytes.
    /// - Throws: ``CryptoError`` with `invalidKey`.
    public init(der: [UInt8]) throws(CryptoError) {
        guard der.starts(with: Self.prefix) else { throw CryptoError(.invalidKey, "The bytes are not an Ed25519 public key.") }
        try self.init(Array(der.dropFirst(Self.prefix.count)))
    }

    /// Reads a key from a PEM block `PUBLIC KEY`.
    ///
    /// - Throws: ``CryptoError`` with `invalidKey`.
    public init(pem: String) throws(CryptoError) {
        try self.init(der: PEM.bytes(of: pem, ["PUBLIC KEY"]))
    }

    /// The key as SubjectPublicKeyInfo.
    public var der: [UInt8] { Self.prefix + bytes }

    /// The key as a PEM block.
    public var pem: String { PEM(label: "PUBLIC KEY", bytes: der).text }

    /// Returns whether a signature of a message is valid for this key.
    ///
    /// - Parameters:
    ///   - signature: The signature, 64 bytes.
    public func isValid(_ signature: [UInt8], for message: [UInt8]) -> Bool {
        signature.count == 64 && handle.isValid(signature, for: message, hash: nil)
    }

    /// The bytes before the key in SubjectPublicKeyInfo for id-Ed25519 (RFC 8410).
    private static let prefix: [UInt8] = [0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00]
}
#endif
