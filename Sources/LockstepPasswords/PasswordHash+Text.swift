extension PasswordHash {
    /// Reads a hash whose text says what it is: what ``text`` writes, and the forms in use elsewhere that are as plain.
    ///
    /// Known are bcrypt, SHA-crypt, MD5-crypt, Argon2, Firebase's scrypt as GoTrue writes it, scrypt, PBKDF2 (with Django's
    /// texts), Werkzeug's scrypt, phpass, LDAP's salted SHA-1, and digests with or without a key in a form of this project's own.
    ///
    /// - Throws: ``PasswordError`` with `unsupported` for a text that begins like none of these, else `malformed`.
    public init(_ text: String) throws(PasswordError) {
        guard let reader = Self.readers.first(where: { text.hasPrefix($0.prefix) }) else {
            throw PasswordError(.unsupported, "The text is no password hash that is known here.")
        }
        self = try reader.read(text)
    }

    private struct Reader: Sendable {
        let prefix: String
        let read: @Sendable (String) throws(PasswordError) -> PasswordHash
    }

    private static let readers: [Reader] = [
        Reader(prefix: "$2") { text throws(PasswordError) in PasswordHash(try CryptHash(text)) },
        Reader(prefix: "$1$") { text throws(PasswordError) in PasswordHash(try CryptHash(text)) },
        Reader(prefix: "$5$") { text throws(PasswordError) in PasswordHash(try CryptHash(text)) },
        Reader(prefix: "$6$") { text throws(PasswordError) in PasswordHash(try CryptHash(text)) },
        Reader(prefix: "$argon2") { text throws(PasswordError) in PasswordHash(try Argon2Hash(text)) },
        Reader(prefix: "$fbscrypt$") { text throws(PasswordError) in PasswordHash(try FirebaseScryptHash(text)) },
        Reader(prefix: "$scrypt$") { text throws(PasswordError) in PasswordHash(try ScryptHash(text)) },
        Reader(prefix: "scrypt:") { text throws(PasswordError) in PasswordHash(try ScryptHash(werkzeug: text)) },
        Reader(prefix: "$pbkdf2-") { text throws(PasswordError) in PasswordHash(try PBKDF2Hash(text)) },
        Reader(prefix: "pbkdf2_sha256$") { text throws(PasswordError) in PasswordHash(try PBKDF2Hash(django: text)) },
        Reader(prefix: "bcrypt_sha256$") { text throws(PasswordError) in PasswordHash(try PreparedCryptHash(django: text)) },
        Reader(prefix: "$prepared$") { text throws(PasswordError) in PasswordHash(try PreparedCryptHash(text)) },
        Reader(prefix: "$P$") { text throws(PasswordError) in PasswordHash(try PHPassHash(text)) },
        Reader(prefix: "$H$") { text throws(PasswordError) in PasswordHash(try PHPassHash(text)) },
        Reader(prefix: "$md5-phpass$") { text throws(PasswordError) in PasswordHash(try PHPassHash(overMD5: text)) },
        Reader(prefix: "{SSHA}") { text throws(PasswordError) in PasswordHash(try DigestHash(ldap: text)) },
        Reader(prefix: "$digest-") { text throws(PasswordError) in PasswordHash(try DigestHash(text)) },
        Reader(prefix: "$hmac-") { text throws(PasswordError) in PasswordHash(try KeyedDigestHash(text)) },
        Reader(prefix: "$symfony-sha512$") { text throws(PasswordError) in PasswordHash(try SymfonyHash(text)) },
    ]
}
