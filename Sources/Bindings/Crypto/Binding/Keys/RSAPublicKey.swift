#if canImport(CLockstepCrypto)
/// A public key for RSA signatures with PKCS#1 v1.5 padding (RFC 8017).
public struct RSAPublicKey: Sendable {
    /// The number n, big-endian, without leading zeros.
    public let modulus: [UInt8]
    /// The number e, big-endian, without leading zeros.
    public let exponent: [UInt8]
    /// The key as SubjectPublicKeyInfo.
    public let der: [UInt8]
    private let handle: KeyHandle

    /// Creates a key from its two numbers.
    ///
    /// - Parameters:
    ///   - modulus: The number n, big-endian.
    ///   - exponent: The number e, big-endian.
    /// - Throws: ``CryptoError`` with `invalidKey` if the numbers are invalid, or if the modulus has less than 2048 or more than
    ///   8192 bits.
    public init(modulus: [UInt8], exponent: [UInt8]) throws(CryptoError) {
        let numbers = DER.sequence(DER.integer(modulus), DER.integer(exponent))
        try self.init(der: DER.sequence(DER.sequence(Self.algorithm, DER.value(DER.null, [])), DER.bits(numbers)))
    }

    /// Reads a key from SubjectPublicKeyInfo.
    ///
    /// - Parameter der: The DER bytes.
    /// - Throws: ``CryptoError`` with `invalidKey` if the bytes are invalid, or if the modulus has less than 2048 or more than
    ///   8192 bits.
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
        self.handle = handle
        der = try handle.publicDER()
        guard let (modulus, exponent) = Self.numbers(in: der) else {
            throw CryptoError(.invalidKey, "The key is not an RSA key.")
        }
        let bits = modulus.count * 8 - (modulus.first?.leadingZeroBitCount ?? 0)
        guard (2048...8192).contains(bits) else {
            throw CryptoError(.invalidKey, "An RSA key must have 2048 to 8192 bits, not \(bits).")
        }
        guard exponent.last.map({ $0 & 1 == 1 }) == true, exponent != [1] else {
            throw CryptoError(.invalidKey, "The exponent of an RSA key must be odd and above 1.")
        }
        self.modulus = modulus
        self.exponent = exponent
    }

    /// The key as a PEM block.
    public var pem: String { PEM(label: "PUBLIC KEY", bytes: der).text }

    /// Returns whether a signature of a message is valid for this key.
    ///
    /// - Parameters:
    ///   - hash: The hash function. Default: SHA-256.
    public func isValid(_ signature: [UInt8], for message: [UInt8], hash: HashFunction = .sha256) -> Bool {
        handle.isValid(signature, for: message, hash: hash)
    }

    /// The algorithm with its tag: rsaEncryption (RFC 3279).
    private static let algorithm = DER.value(DER.objectIdentifier, [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01])

    private static func numbers(in der: [UInt8]) -> (modulus: [UInt8], exponent: [UInt8])? {
        var outer = DERReader(der)
        guard var info = outer.sequence(), var kind = info.sequence() else { return nil }
        guard let name = kind.value(DER.objectIdentifier), DER.value(DER.objectIdentifier, name) == algorithm else { return nil }
        guard let bits = info.bits() else { return nil }
        var inner = DERReader(bits)
        guard var numbers = inner.sequence(), let modulus = numbers.integer(), let exponent = numbers.integer() else {
            return nil
        }
        return (modulus, exponent)
    }
}
#endif
