internal import LockstepCrypto

extension JSONWebKey {
    /// Creates a verification key from this JSON Web Key.
    ///
    /// - Returns: The verification key.
    /// - Throws: ``TokenError`` with `invalidKey` if the key is invalid, or if its `use` or `key_ops` do not allow verification.
    public func verificationKey() throws(TokenError) -> VerificationKey {
        // A private key that may only sign can also verify, because its signatures must be verified with some key.
        guard allows("verify") || isPrivate && allows("sign") else {
            throw TokenError(.invalidKey, "The key is not meant for signatures.")
        }
        let algorithm = try algorithm()
        return try Self.translating { () throws(any Error) in
            let material: VerificationKey.Material =
                switch algorithm {
                case .hs256, .hs384, .hs512: .secret(try bytes("k"))
                case .rs256, .rs384, .rs512: .rsa(try RSAPublicKey(modulus: bytes("n"), exponent: bytes("e")))
                case .es256: .p256(try P256PublicKey(x: bytes("x"), y: bytes("y")))
                case .edDSA: .ed25519(try Ed25519PublicKey(bytes("x")))
                }
            return VerificationKey(id: id, algorithm: algorithm, material: material)
        }
    }

    /// Creates a signing key from this JSON Web Key.
    ///
    /// It must be a private key or a shared secret.
    ///
    /// - Returns: The signing key.
    /// - Throws: ``TokenError`` with `invalidKey` if the key is invalid, or if its `use` or `key_ops` do not allow signing.
    public func signingKey() throws(TokenError) -> SigningKey {
        guard allows("sign") else { throw TokenError(.invalidKey, "The key is not meant for signing.") }
        let algorithm = try algorithm()
        return try Self.translating { () throws(any Error) in
            let material: SigningKey.Material =
                switch algorithm {
                case .hs256, .hs384, .hs512: .secret(try bytes("k"))
                case .rs256, .rs384, .rs512: .rsa(try RSAPrivateKey(numbers()))
                case .es256: .p256(try p256())
                case .edDSA: .ed25519(try ed25519())
                }
            return SigningKey(id: id, algorithm: algorithm, material: material)
        }
    }

    private func numbers() throws(TokenError) -> RSANumbers {
        RSANumbers(
            modulus: try bytes("n"), exponent: try bytes("e"), privateExponent: try bytes("d"),
            primes: (try bytes("p"), try bytes("q")), primeExponents: (try bytes("dp"), try bytes("dq")),
            coefficient: try bytes("qi"))
    }

    private func p256() throws -> P256PrivateKey {
        let key = try P256PrivateKey(scalar: bytes("d"))
        guard key.publicKey.point == (try bytes("x"), try bytes("y")) else { throw Self.mismatch }
        return key
    }

    private func ed25519() throws -> Ed25519PrivateKey {
        let key = try Ed25519PrivateKey(seed: bytes("d"))
        guard key.publicKey.bytes == (try bytes("x")) else { throw Self.mismatch }
        return key
    }

    private static var mismatch: TokenError {
        TokenError(.invalidKey, "The public part and the private part of the key do not match.")
    }

    private static func translating<Key>(_ body: () throws -> Key) throws(TokenError) -> Key {
        do {
            return try body()
        } catch let error as TokenError {
            throw error
        } catch let error as CryptoError {
            throw TokenError(.invalidKey, error.message)
        } catch {
            throw TokenError(.invalidKey, "The key cannot be read.")
        }
    }
}
