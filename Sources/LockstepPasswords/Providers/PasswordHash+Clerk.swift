internal import LockstepCrypto
internal import LockstepPrimitives

extension PasswordHash {
    /// Reads a `password_digest` of Clerk's Backend API.
    ///
    /// Clerk documents neither the order of salt and password in a salted digest nor the layout of Symfony's digest.
    /// This initializer expects the salt first, as in Django. The initializer expects Symfony's digest in the layout
    /// `[sha512_symfony$][iterations$]salt$hash`, with 5000 iterations by default.
    ///
    /// ```swift
    /// let digest = "$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy"
    /// let hash = try PasswordHash(clerkDigest: digest, hasher: .bcrypt)
    /// print(hash)                                  // only the algorithm
    /// ```
    ///
    /// - Parameters:
    ///   - digest: The value of `password_digest`.
    ///   - hasher: The value of `password_hasher`.
    /// - Throws: ``PasswordError`` with `unsupported` if the hasher is unknown, or if it is `awscognito`, which has no
    ///   hash; `malformed` if the digest does not have the format of the hasher.
    public init(clerkDigest digest: String, hasher: ClerkHasher) throws(PasswordError) {
        switch hasher {
        case .bcrypt: self.init(try Self.bcrypt(digest))
        case .bcryptSHA256Django: self.init(try PreparedCryptHash(django: digest))
        case .bcryptPeppered: self.init(try Self.peppered(digest))
        case .argon2i, .argon2id:
            let hash = try Argon2Hash(digest)
            guard hash.argon2.variant.rawValue == hasher.rawValue else { throw .malformed(hasher.rawValue) }
            self.init(hash)
        case .scryptFirebase: self.init(try Self.firebase(digest))
        case .scryptWerkzeug: self.init(try ScryptHash(werkzeug: digest))
        case .pbkdf2SHA1: self.init(try PBKDF2Hash(digest, .sha1, salt: Self.plain, hash: Self.hex))
        case .pbkdf2SHA256: self.init(try PBKDF2Hash(digest, .sha256, salt: HashText.read, hash: HashText.read))
        case .pbkdf2SHA256Django: self.init(try PBKDF2Hash(django: digest))
        case .pbkdf2SHA512: self.init(try PBKDF2Hash(digest, .sha512, salt: Self.plain, hash: Self.hex))
        case .pbkdf2SHA512Hex:
            self.init(try PBKDF2Hash(Self.named("pbkdf2_sha512", digest), .sha512, salt: Self.hex, hash: Self.hex))
        case .phpass: self.init(try PHPassHash(digest))
        case .md5PHPass: self.init(try PHPassHash(digest, isOverMD5: true))
        case .ldapSSHA: self.init(try DigestHash(ldap: digest))
        case .md5, .sha256: self.init(try Self.digest(digest, hasher == .md5 ? .md5 : .sha256))
        case .md5Salted, .sha256Salted: self.init(try Self.salted(digest, hasher == .md5Salted ? .md5 : .sha256))
        case .sha512Symfony: self.init(try Self.symfony(digest))
        default: throw PasswordError(.unsupported, "The password hasher is not supported.")
        }
    }

    private static func plain(_ text: String) -> [UInt8]? { Array(text.utf8) }

    private static func hex(_ text: String) -> [UInt8]? { Hex.decode(text) }

    /// Accepts the hexadecimal variant under its own name and under the name of the plain variant.
    private static func named(_ name: String, _ digest: String) -> String {
        digest.hasPrefix(name + "_hex$") ? name + digest.dropFirst(name.count + 4) : digest
    }

    private static func bcrypt(_ digest: String) throws(PasswordError) -> CryptHash {
        let hash = try CryptHash(digest)
        guard hash.isBcrypt else { throw .malformed("bcrypt") }
        return hash
    }

    /// Reads `<bcrypt>$<pepper>`.
    ///
    /// A bcrypt hash has 60 characters.
    private static func peppered(_ digest: String) throws(PasswordError) -> PreparedCryptHash {
        let pepper = digest.dropFirst(60)
        guard pepper.hasPrefix("$"), pepper.count > 1 else { throw .malformed("bcrypt_peppered") }
        return try PreparedCryptHash(.peppered(Array(pepper.dropFirst().utf8)), bcrypt(String(digest.prefix(60))))
    }

    /// Reads `<hash>$<salt>$<signer key>$<salt separator>$<rounds>$<memory cost>`, with bytes in base64.
    private static func firebase(_ digest: String) throws(PasswordError) -> FirebaseScryptHash {
        let parts = digest.split(separator: "$", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 6, let hash = HashText.read(parts[0]), let salt = HashText.read(parts[1]),
            let key = HashText.read(parts[2]), let separator = HashText.read(parts[3]), let rounds = HashText.number(parts[4]),
            let memoryCost = HashText.number(parts[5]), !hash.isEmpty,
            let project = FirebaseScrypt(signerKey: key, saltSeparator: separator, rounds: rounds, memoryCost: memoryCost)
        else { throw .malformed("scrypt_firebase") }
        return FirebaseScryptHash(project, salt: salt, hash: hash)
    }

    private static func digest(_ digest: String, _ function: HashFunction) throws(PasswordError) -> DigestHash {
        guard let hash = Hex.decode(digest) else { throw .malformed(function.rawValue) }
        return try DigestHash(function, hash: hash)
    }

    /// Reads `salt$hash`.
    private static func salted(_ digest: String, _ function: HashFunction) throws(PasswordError) -> DigestHash {
        guard let dollar = digest.lastIndex(of: "$"), let hash = Hex.decode(digest[digest.index(after: dollar)...]) else {
            throw .malformed(function.rawValue)
        }
        return try DigestHash(function, salt: Array(digest[..<dollar].utf8), hash: hash)
    }

    private static func symfony(_ digest: String) throws(PasswordError) -> SymfonyHash {
        var parts = digest.split(separator: "$", omittingEmptySubsequences: false).map(String.init)
        if parts.first == ClerkHasher.sha512Symfony.rawValue { parts.removeFirst() }
        guard (2...3).contains(parts.count), let hash = HashText.read(parts.removeLast()) else {
            throw .malformed("sha512_symfony")
        }
        let salt = parts.removeLast()
        guard let iterations = parts.isEmpty ? 5000 : HashText.number(parts[0]) else { throw .malformed("sha512_symfony") }
        return try SymfonyHash(iterations: iterations, salt: salt, hash: hash)
    }
}
