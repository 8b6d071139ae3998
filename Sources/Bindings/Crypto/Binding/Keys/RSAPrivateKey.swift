#if canImport(CLockstepCrypto)
/// A private key for RSA signatures with PKCS#1 v1.5 padding (RFC 8017).
public struct RSAPrivateKey: Sendable {
    /// The public half.
    public let publicKey: RSAPublicKey
    private let handle: KeyHandle

    /// Makes a key; takes 50 to 300 ms for 2048 bits, so it belongs off the start path and off the cooperative pool.
    ///
    /// The randomness is libcrypto's own, so no seed makes it repeatable.
    ///
    /// - Throws: ``CryptoError`` with `invalidParameter` for less than 2048 or more than 8192 bits.
    public static func generate(bits: Int = 2048) throws(CryptoError) -> RSAPrivateKey {
        guard (2048...8192).contains(bits) else { throw CryptoError(.invalidParameter, "An RSA key has 2048 to 8192 bits here.") }
        return try RSAPrivateKey(.generateRSA(bits: bits))
    }

    /// A key from PKCS#8 or PKCS#1, unencrypted.
    ///
    /// - Throws: ``CryptoError`` with `invalidKey`.
    public init(der: [UInt8]) throws(CryptoError) {
        try self.init(KeyHandle(privateDER: der))
    }

    /// A key from a PEM block `PRIVATE KEY` or `RSA PRIVATE KEY`.
    ///
    /// - Throws: ``CryptoError`` with `invalidKey`.
    public init(pem: String) throws(CryptoError) {
        try self.init(der: PEM.bytes(of: pem, ["PRIVATE KEY", "RSA PRIVATE KEY"]))
    }

    /// A key of its eight numbers.
    ///
    /// - Throws: ``CryptoError`` with `invalidKey` where they do not belong together.
    public init(_ numbers: RSANumbers) throws(CryptoError) {
        try self.init(der: numbers.der)
        let message: [UInt8] = [1, 2, 3]
        guard publicKey.isValid(try sign(message), for: message) else {
            throw CryptoError(.invalidKey, "The numbers of the RSA key do not belong together.")
        }
    }

    private init(_ handle: KeyHandle) throws(CryptoError) {
        self.handle = handle
        publicKey = try RSAPublicKey(KeyHandle(publicDER: handle.publicDER()))
    }

    /// The key as PKCS#8.
    ///
    /// - Throws: ``CryptoError`` with `unavailable`.
    public func der() throws(CryptoError) -> [UInt8] {
        try handle.privateDER()
    }

    /// The key as a PEM block `PRIVATE KEY`.
    ///
    /// - Throws: ``CryptoError`` with `unavailable`.
    public func pem() throws(CryptoError) -> String {
        PEM(label: "PRIVATE KEY", bytes: try der()).text
    }

    /// The eight numbers of the key.
    ///
    /// - Throws: ``CryptoError`` with `unavailable`.
    public func numbers() throws(CryptoError) -> RSANumbers {
        guard let numbers = RSANumbers(pkcs8: try der()) else { throw CryptoError(.unavailable, "libcrypto wrote no RSA key.") }
        return numbers
    }

    /// Signs `message`; the same message gives the same signature.
    ///
    /// - Throws: ``CryptoError`` with `unavailable`.
    public func sign(_ message: [UInt8], hash: HashFunction = .sha256) throws(CryptoError) -> [UInt8] {
        try handle.sign(message, hash: hash)
    }
}
#endif
