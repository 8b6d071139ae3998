#if canImport(CLockstepCrypto)
/// A public key for ECDSA on the curve P-256 with SHA-256 (FIPS 186-5).
///
/// A signature consists of the numbers r and s, with 32 bytes each.
public struct P256PublicKey: Sendable {
    /// The coordinates of the point on the curve, 32 bytes each, big-endian.
    public let point: (x: [UInt8], y: [UInt8])
    private let handle: KeyHandle

    /// Creates a key from its point.
    ///
    /// - Parameters:
    ///   - x: The first coordinate, big-endian.
    ///   - y: The second coordinate, big-endian.
    /// - Throws: ``CryptoError`` with `invalidKey` if a coordinate has more than 32 bytes, or if the point is not on the
    ///   curve.
    public init(x: [UInt8], y: [UInt8]) throws(CryptoError) {
        guard let x = DER.padded(x, to: 32), let y = DER.padded(y, to: 32) else {
            throw CryptoError(.invalidKey, "A P-256 coordinate must have 32 bytes.")
        }
        try self.init(der: Self.prefix + x + y)
    }

    /// Reads a key from SubjectPublicKeyInfo with an uncompressed point.
    ///
    /// - Parameter der: The DER bytes.
    /// - Throws: ``CryptoError`` with `invalidKey`.
    public init(der: [UInt8]) throws(CryptoError) {
        try self.init(KeyHandle(publicDER: der))
    }

    /// Reads a key from a PEM block `PUBLIC KEY`.
    ///
    /// - Throws: ``CryptoError`` with `invalidKey`.
    public init(pem: String) throws(CryptoError) {
        try self.init(der: PEM.bytes(of: pem, ["PUBLIC KEY"]))
    }

    init(_ handle: KeyHandle) throws(CryptoError) {
        let der = try handle.publicDER()
        guard der.count == Self.prefix.count + 64, der.starts(with: Self.prefix) else {
            throw CryptoError(.invalidKey, "The key is not on the curve P-256.")
        }
        self.handle = handle
        point = (Array(der.suffix(64).prefix(32)), Array(der.suffix(32)))
    }

    /// The key as SubjectPublicKeyInfo.
    public var der: [UInt8] { Self.prefix + point.x + point.y }

    /// The key as a PEM block.
    public var pem: String { PEM(label: "PUBLIC KEY", bytes: der).text }

    /// Returns whether a signature of a message is valid for this key.
    ///
    /// - Parameters:
    ///   - signature: The signature, 64 bytes.
    public func isValid(_ signature: [UInt8], for message: [UInt8]) -> Bool {
        guard signature.count == 64 else { return false }
        let pair = DER.sequence(DER.integer(Array(signature.prefix(32))), DER.integer(Array(signature.suffix(32))))
        return handle.isValid(pair, for: message, hash: .sha256)
    }

    /// The bytes before the coordinates in SubjectPublicKeyInfo for ecPublicKey on prime256v1 (RFC 5480).
    private static let prefix: [UInt8] = [
        0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d,
        0x03, 0x01,
        0x07, 0x03, 0x42, 0x00, 0x04,
    ]
}
#endif
