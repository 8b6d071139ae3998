internal import LockstepCrypto
internal import LockstepPrimitives

extension JSONWebKey {
    /// Creates the JSON Web Key that a key set publishes for a verification key.
    ///
    /// In the JSON Web Key, the value of `use` is `sig`, and `alg` is always present.
    ///
    /// - Parameter key: The verification key.
    /// - Throws: ``TokenError`` with `invalidKey` if the key is a shared secret, which must not be published.
    public init(_ key: VerificationKey) throws(TokenError) {
        var members: JSONObject =
            switch key.material {
            case .secret: throw TokenError(.invalidKey, "A shared secret must not be published.")
            case .rsa(let key): ["kty": "RSA", "n": Self.text(key.modulus), "e": Self.text(key.exponent)]
            case .p256(let key): ["kty": "EC", "crv": "P-256", "x": Self.text(key.point.x), "y": Self.text(key.point.y)]
            case .ed25519(let key): ["kty": "OKP", "crv": "Ed25519", "x": Self.text(key.bytes)]
            }
        members["kid"] = key.id.map(JSON.string)
        members["use"] = "sig"
        members["alg"] = .string(key.algorithm.rawValue)
        self.init(members: members)
    }

    /// Creates the JSON Web Key of a signing key, with its private part.
    ///
    /// Store it only in a file that no other user can read.
    ///
    /// - Parameter key: The signing key.
    /// - Throws: ``TokenError`` with `invalidKey` if libcrypto cannot export the key.
    public init(private key: SigningKey) throws(TokenError) {
        var members: JSONObject
        switch key.material {
        case .secret(let secret): members = ["kty": "oct", "k": Self.text(secret)]
        case .rsa(let key): members = try Self.members(of: key)
        case .p256(let key):
            members = [
                "kty": "EC", "crv": "P-256", "x": Self.text(key.publicKey.point.x), "y": Self.text(key.publicKey.point.y),
                "d": Self.text(key.scalar),
            ]
        case .ed25519(let key):
            members = ["kty": "OKP", "crv": "Ed25519", "x": Self.text(key.publicKey.bytes), "d": Self.text(key.seed)]
        }
        members["kid"] = key.id.map(JSON.string)
        members["use"] = "sig"
        members["alg"] = .string(key.algorithm.rawValue)
        self.init(members: members)
    }

    /// The thumbprint of the key (RFC 7638) in URL-safe base64.
    ///
    /// The thumbprint can serve as the `kid`, because a private key and its public key have the same thumbprint.
    public var thumbprint: String {
        let names =
            switch type {
            case "RSA": ["e", "kty", "n"]
            case "EC": ["crv", "kty", "x", "y"]
            case "OKP": ["crv", "kty", "x"]
            default: ["k", "kty"]
            }
        let members = JSONObject(names.map { ($0, self.members[$0] ?? .null) })
        return Base64.encode(HashFunction.sha256.digest(JSON.object(members).bytes()), .url)
    }

    private static func members(of key: RSAPrivateKey) throws(TokenError) -> JSONObject {
        do throws(CryptoError) {
            let numbers = try key.numbers()
            return [
                "kty": "RSA", "n": text(numbers.modulus), "e": text(numbers.exponent), "d": text(numbers.privateExponent),
                "p": text(numbers.primes.first), "q": text(numbers.primes.second), "dp": text(numbers.primeExponents.first),
                "dq": text(numbers.primeExponents.second), "qi": text(numbers.coefficient),
            ]
        } catch {
            throw TokenError(.invalidKey, error.message)
        }
    }

    private static func text(_ bytes: [UInt8]) -> JSON { .string(Base64.encode(bytes, .url)) }
}
