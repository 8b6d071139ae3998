#if canImport(CLockstepCrypto)
/// A private key for ECDSA on the curve P-256 with SHA-256 (FIPS 186-5).
public struct P256PrivateKey: Sendable {
    /// The secret number, 32 bytes, big-endian.
    public let scalar: [UInt8]
    /// The public key.
    public let publicKey: P256PublicKey
    private let handle: KeyHandle

    /// Makes a new key with the random generator of libcrypto.
    ///
    /// - Throws: ``CryptoError`` with `unavailable`.
    public static func generate() throws(CryptoError) -> P256PrivateKey {
        try P256PrivateKey(.generateP256())
    }

    /// Creates a key from its secret number.
    ///
    /// - Parameter scalar: The number, big-endian.
    /// - Throws: ``CryptoError`` with `invalidKey` if the number is zero, or not below the order of the curve.
    public init(scalar: [UInt8]) throws(CryptoError) {
        guard let scalar = DER.padded(scalar, to: 32), scalar.contains(where: { $0 != 0 }),
            scalar.lexicographicallyPrecedes(Self.order)
        else { throw CryptoError(.invalidKey, "A P-256 private key must be a number from 1 to the order of the curve.") }
        let key = DER.sequence(DER.integer([1]), DER.value(DER.octetString, scalar))
        try self.init(der: DER.sequence(DER.integer([]), Self.algorithm, DER.value(DER.octetString, key)))
    }

    /// Reads a key from unencrypted PKCS#8 or SEC 1.
    ///
    /// - Parameter der: The DER bytes.
    /// - Throws: ``CryptoError`` with `invalidKey`.
    public init(der: [UInt8]) throws(CryptoError) {
        try self.init(KeyHandle(privateDER: der))
    }

    /// Reads a key from a PEM block `PRIVATE KEY` or `EC PRIVATE KEY`.
    ///
    /// - Throws: ``CryptoError`` with `invalidKey`.
    public init(pem: String) throws(CryptoError) {
        try self.init(der: PEM.bytes(of: pem, ["PRIVATE KEY", "EC PRIVATE KEY"]))
    }

    private init(_ handle: KeyHandle) throws(CryptoError) {
        self.handle = handle
        publicKey = try P256PublicKey(KeyHandle(publicDER: handle.publicDER()))
        guard let scalar = Self.scalar(in: try handle.privateDER()) else {
            throw CryptoError(.invalidKey, "The key is not on the curve P-256.")
        }
        self.scalar = scalar
    }

    /// Returns the key as PKCS#8.
    ///
    /// - Returns: The DER bytes.
    /// - Throws: ``CryptoError`` with `unavailable`.
    public func der() throws(CryptoError) -> [UInt8] {
        try handle.privateDER()
    }

    /// Returns the key as a PEM block `PRIVATE KEY`.
    ///
    /// - Throws: ``CryptoError`` with `unavailable`.
    public func pem() throws(CryptoError) -> String {
        PEM(label: "PRIVATE KEY", bytes: try der()).text
    }

    /// Signs a message.
    ///
    /// Signing the same message again returns a different signature.
    ///
    /// - Returns: The signature: the numbers r and s, with 32 bytes each.
    /// - Throws: ``CryptoError`` with `unavailable`.
    public func sign(_ message: [UInt8]) throws(CryptoError) -> [UInt8] {
        var outer = DERReader(try handle.sign(message, hash: .sha256))
        guard var pair = outer.sequence(), let r = pair.integer(), let s = pair.integer(), let first = DER.padded(r, to: 32),
            let second = DER.padded(s, to: 32)
        else { throw CryptoError(.unavailable, "libcrypto returned an invalid ECDSA signature.") }
        return first + second
    }

    private static func scalar(in der: [UInt8]) -> [UInt8]? {
        var outer = DERReader(der)
        guard var info = outer.sequence(), info.integer() != nil, info.sequence() != nil, let key = info.value(DER.octetString)
        else {
            return nil
        }
        var inner = DERReader(key)
        guard var fields = inner.sequence(), fields.integer() == [1] else { return nil }
        return fields.value(DER.octetString).flatMap { DER.padded($0, to: 32) }
    }

    /// The algorithm: ecPublicKey on prime256v1 (RFC 5480).
    private static let algorithm = DER.sequence(
        DER.value(DER.objectIdentifier, [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01]),
        DER.value(DER.objectIdentifier, [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07]))

    /// The order of the curve's group (SP 800-186, 3.2.1.3).
    private static let order: [UInt8] = [
        0xff, 0xff, 0xff, 0xff, 0x00, 0x00, 0x00, 0x00, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xbc, 0xe6, 0xfa, 0xad,
        0xa7, 0x17,
        0x9e, 0x84, 0xf3, 0xb9, 0xca, 0xc2, 0xfc, 0x63, 0x25, 0x51,
    ]
}
#endif
