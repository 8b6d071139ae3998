#if canImport(CLockstepCrypto)
/// A private key for RSA signatures with PKCS#1 v1.5 padding (RFC 8017).
public struct RSAPrivateKey: Sendable {
    /// The public key.
    public let publicKey: RSAPublicKey
    private let handle: KeyHandle

    /// Makes a new key.
    ///
    /// With 2048 bits, this takes 50 to 300 ms. So do not make a key while a program starts, and do not block the cooperative
    /// thread pool with this call. The random generator of libcrypto makes the key, so you cannot make the same key again from
    /// a seed.
    ///
    /// - Parameter bits: The size of the key. Default: 2048.
    /// - Throws: ``CryptoError`` with `invalidParameter` for less than 2048 or more than 8192 bits.
    public static func generate(bits: Int = 2048) throws(CryptoError) -> RSAPrivateKey {
        guard (2048...8192).contains(bits) else {
            throw CryptoError(.invalidParameter, "An RSA key must have 2048 to 8192 bits.")
        }
        return try RSAPrivateKey(.generateRSA(bits: bits))
    }

    /// Reads a key from unencrypted PKCS#8 or PKCS#1.
    ///
    /// - Parameter der: The DER bytes.
    /// - Throws: ``CryptoError`` with `invalidKey`.
    public init(der: [UInt8]) throws(CryptoError) {
        try self.init(KeyHandle(privateDER: der))
    }

    /// Reads a key from a PEM block `PRIVATE KEY` or `RSA PRIVATE KEY`.
    ///
    /// - Throws: ``CryptoError`` with `invalidKey`.
    public init(pem: String) throws(CryptoError) {
        try self.init(der: PEM.bytes(of: pem, ["PRIVATE KEY", "RSA PRIVATE KEY"]))
    }

    /// Creates a key from its eight numbers.
    ///
    /// - Throws: ``CryptoError`` with `invalidKey` if the numbers do not belong to one key.
    public init(_ numbers: RSANumbers) throws(CryptoError) {
        try self.init(der: numbers.der)
        let message: [UInt8] = [1, 2, 3]
        guard publicKey.isValid(try sign(message), for: message) else {
            throw CryptoError(.invalidKey, "The numbers of the RSA key do not match each other.")
        }
    }

    private init(_ handle: KeyHandle) throws(CryptoError) {
        self.handle = handle
        publicKey = try RSAPublicKey(KeyHandle(publicDER: handle.publicDER()))
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

    /// Returns the eight numbers of the key.
    ///
    /// - Throws: ``CryptoError`` with `unavailable`.
    public func numbers() throws(CryptoError) -> RSANumbers {
        guard let numbers = RSANumbers(pkcs8: try der()) else {
            throw CryptoError(.unavailable, "libcrypto returned an invalid RSA key.")
        }
        return numbers
    }

    /// Signs a message.
    ///
    /// Signing the same message again returns the same signature.
    ///
    /// - Parameters:
    ///   - hash: The hash function. Default: SHA-256.
    /// - Throws: ``CryptoError`` with `unavailable`.
    public func sign(_ message: [UInt8], hash: HashFunction = .sha256) throws(CryptoError) -> [UInt8] {
        try handle.sign(message, hash: hash)
    }
}
#endif
