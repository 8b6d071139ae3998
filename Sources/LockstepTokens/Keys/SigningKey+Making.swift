internal import LockstepCrypto
public import LockstepPrimitives

extension SigningKey {
    /// Makes an RSA key for RS256.
    ///
    /// The call takes 50 to 300 ms, so do not call it on a thread that must not block. The randomness comes from
    /// libcrypto, so a test cannot make the key reproducible.
    ///
    /// - Parameters:
    ///   - bits: The size of the key. Default: 2048.
    ///   - id: The `kid` of the tokens that the key signs. Default: none.
    /// - Returns: The key.
    /// - Throws: ``TokenError`` with `invalidKey` if libcrypto fails.
    public static func makeRSA(bits: Int = 2048, id: String? = nil) throws(TokenError) -> SigningKey {
        try translating { () throws(CryptoError) in .rsa(try RSAPrivateKey.generate(bits: bits), id: id) }
    }

    /// Makes a P-256 key for ES256, with randomness from libcrypto.
    ///
    /// - Parameter id: The `kid` of the tokens that the key signs. Default: none.
    /// - Returns: The key.
    /// - Throws: ``TokenError`` with `invalidKey` if libcrypto fails.
    public static func makeP256(id: String? = nil) throws(TokenError) -> SigningKey {
        try translating { () throws(CryptoError) in .p256(try P256PrivateKey.generate(), id: id) }
    }

    /// Makes an Ed25519 key for EdDSA.
    ///
    /// - Parameters:
    ///   - id: The `kid` of the tokens that the key signs. Default: none.
    ///   - randomness: The source of randomness for the key.
    /// - Returns: The key.
    /// - Throws: ``TokenError`` with `invalidKey` if libcrypto fails.
    public static func makeEd25519(id: String? = nil, randomness: some Randomness) throws(TokenError) -> SigningKey {
        try translating { () throws(CryptoError) in .ed25519(try Ed25519PrivateKey(seed: randomness.bytes(32)), id: id) }
    }

    /// Reads a private key from a PEM block.
    ///
    /// The type of the key determines the algorithm: RS256, ES256 or EdDSA.
    ///
    /// - Parameters:
    ///   - pem: The PEM block.
    ///   - id: The `kid` of the tokens that the key signs. Default: none.
    /// - Throws: ``TokenError`` with `invalidKey` if the block is not such a key.
    public init(pem: String, id: String? = nil) throws(TokenError) {
        if let key = try? RSAPrivateKey(pem: pem) {
            self = .rsa(key, id: id)
        } else if let key = try? P256PrivateKey(pem: pem) {
            self = .p256(key, id: id)
        } else if let key = try? Ed25519PrivateKey(pem: pem) {
            self = .ed25519(key, id: id)
        } else {
            throw TokenError(.invalidKey, "The text is not a private key for RSA (2048 bits or more), P-256 or Ed25519 in PEM.")
        }
    }

    /// Returns the private key as a PEM block.
    ///
    /// - Returns: The block; `nil` if the key is a shared secret, which has no PEM form.
    /// - Throws: ``TokenError`` with `invalidKey` if libcrypto cannot export the key.
    public func pem() throws(TokenError) -> Secret? {
        try Self.translating { () throws(CryptoError) in
            switch material {
            case .secret: nil
            case .rsa(let key): Secret(try key.pem())
            case .p256(let key): Secret(try key.pem())
            case .ed25519(let key): Secret(key.pem)
            }
        }
    }

    private static func translating<Value>(_ body: () throws(CryptoError) -> Value) throws(TokenError) -> Value {
        do throws(CryptoError) {
            return try body()
        } catch {
            throw TokenError(.invalidKey, error.message)
        }
    }
}
