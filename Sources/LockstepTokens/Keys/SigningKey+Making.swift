internal import LockstepCrypto
public import LockstepPrimitives

extension SigningKey {
    /// Makes a key for RS256; takes 50 to 300 ms, so no thread that must not wait makes it.
    ///
    /// The randomness is libcrypto's own: no seed makes such a key repeatable.
    ///
    /// - Throws: ``TokenError`` with `invalidKey` where libcrypto does not do it.
    public static func makeRSA(bits: Int = 2048, id: String? = nil) throws(TokenError) -> SigningKey {
        try translating { () throws(CryptoError) in .rsa(try RSAPrivateKey.generate(bits: bits), id: id) }
    }

    /// Makes a key for ES256, with libcrypto's own randomness.
    ///
    /// - Throws: ``TokenError`` with `invalidKey` where libcrypto does not do it.
    public static func makeP256(id: String? = nil) throws(TokenError) -> SigningKey {
        try translating { () throws(CryptoError) in .p256(try P256PrivateKey.generate(), id: id) }
    }

    /// Makes a key for EdDSA.
    ///
    /// - Throws: ``TokenError`` with `invalidKey` where libcrypto does not do it.
    public static func makeEd25519(id: String? = nil, randomness: some Randomness) throws(TokenError) -> SigningKey {
        try translating { () throws(CryptoError) in .ed25519(try Ed25519PrivateKey(seed: randomness.bytes(32)), id: id) }
    }

    /// A key from a PEM block: its kind says which algorithm it is for, RS256, ES256 or EdDSA.
    ///
    /// - Throws: ``TokenError`` with `invalidKey`.
    public init(pem: String, id: String? = nil) throws(TokenError) {
        if let key = try? RSAPrivateKey(pem: pem) {
            self = .rsa(key, id: id)
        } else if let key = try? P256PrivateKey(pem: pem) {
            self = .p256(key, id: id)
        } else if let key = try? Ed25519PrivateKey(pem: pem) {
            self = .ed25519(key, id: id)
        } else {
            throw TokenError(.invalidKey, "The text is no private key for RSA (2048 bits or more), P-256 or Ed25519 in PEM.")
        }
    }

    /// The private key as a PEM block; `nil` for a shared secret, which has no such form.
    ///
    /// - Throws: ``TokenError`` with `invalidKey` where libcrypto does not give the key out.
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
