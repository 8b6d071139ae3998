internal import LockstepCrypto

extension VerificationKey {
    /// Reads a public key from a PEM block `PUBLIC KEY`.
    ///
    /// The type of the key determines the algorithm: RS256, ES256 or EdDSA.
    ///
    /// - Parameters:
    ///   - pem: The PEM block.
    ///   - id: The `kid` of the tokens that the key verifies. Default: none.
    /// - Throws: ``TokenError`` with `invalidKey` if the block is not such a key.
    public init(pem: String, id: String? = nil) throws(TokenError) {
        if let key = try? RSAPublicKey(pem: pem) {
            self = .rsa(key, id: id)
        } else if let key = try? P256PublicKey(pem: pem) {
            self = .p256(key, id: id)
        } else if let key = try? Ed25519PublicKey(pem: pem) {
            self = .ed25519(key, id: id)
        } else {
            throw TokenError(.invalidKey, "The text is not a public key for RSA (2048 bits or more), P-256 or Ed25519 in PEM.")
        }
    }

    /// The public key as a PEM block `PUBLIC KEY`; `nil` if the key is a shared secret, which must not be published.
    public var pem: String? {
        switch material {
        case .secret: nil
        case .rsa(let key): key.pem
        case .p256(let key): key.pem
        case .ed25519(let key): key.pem
        }
    }
}
