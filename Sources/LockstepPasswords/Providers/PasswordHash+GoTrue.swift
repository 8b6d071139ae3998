extension PasswordHash {
    /// Reads a hash in the format of GoTrue's admin API.
    ///
    /// The hash is bcrypt, Argon2i or Argon2id of version 1.3, or Firebase's scrypt (supabase/auth v2.196.0,
    /// internal/crypto/password.go).
    ///
    /// ```swift
    /// let hash = try PasswordHash(goTrue: "$2a$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy")
    /// print(hash.firebaseImport?.parameters["hashAlgorithm"]?.string ?? "Firebase cannot import it")
    /// ```
    ///
    /// - Parameter text: The hash.
    /// - Throws: ``PasswordError`` with `unsupported` if GoTrue does not support the algorithm; otherwise `malformed`.
    public init(goTrue text: String) throws(PasswordError) {
        let hash = try PasswordHash(text)
        guard hash.isGoTrueHash else {
            throw PasswordError(
                .unsupported, "GoTrue accepts bcrypt, Argon2i and Argon2id of version 19 up to m=1048576,t=20,p=16, and fbscrypt."
            )
        }
        self = hash
    }

    /// The hash in the format of GoTrue's admin API; `nil` if GoTrue does not support its algorithm.
    public var goTrueText: String? { isGoTrueHash ? text : nil }

    private var isGoTrueHash: Bool {
        switch scheme {
        case let hash as CryptHash: hash.isBcrypt
        case let hash as Argon2Hash:
            hash.argon2.variant != .d && hash.argon2.version == .v13 && hash.context.isEmpty && hash.argon2.memory <= 1_048_576
                && hash.argon2.passes <= 20 && hash.argon2.lanes <= 16
        case is FirebaseScryptHash: true
        default: false
        }
    }
}
