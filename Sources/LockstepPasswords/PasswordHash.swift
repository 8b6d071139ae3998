public import LockstepPrimitives

/// A stored password hash: algorithm, costs, salt, and the expected result.
///
/// Checking takes from microseconds to seconds, as the hash says, and blocks the thread: call ``verify(_:limits:)`` on a
/// thread that may block, or ``verify(_:limits:on:)`` with an executor of such threads. It prints its algorithm only.
public struct PasswordHash: Sendable {
    let scheme: any PasswordScheme

    init(_ scheme: some PasswordScheme) {
        self.scheme = scheme
    }

    /// The hash as one text, read again by ``init(_:)``: the form that its algorithm is known by (`$2b$…`, `$argon2id$…`,
    /// `$fbscrypt$…`), or one of the same kind where there is none.
    ///
    /// It allows guessing passwords, and for Firebase's it holds the signer key of a project: it must not be shown.
    public var text: String { scheme.text }

    /// Whether `password` is the one; blocks the thread.
    ///
    /// bcrypt looks at the first 72 bytes only, and so does this, as an old hash may be one of a longer password.
    ///
    /// - Throws: ``PasswordError`` with `tooCostly` beyond the limits, `unavailable` where the machine cannot do it.
    public func verify(_ password: Secret, limits: PasswordLimits = .standard) throws(PasswordError) -> Bool {
        guard scheme.effort.isWithin(limits) else {
            throw PasswordError(
                .tooCostly, "Checking a password against this hash takes more memory or time than the limits allow.")
        }
        return try scheme.matches(Array(password.reveal().utf8))
    }

    /// Whether `password` is the one, found out on `executor`, whose threads must be ones that may block.
    ///
    /// - Throws: ``PasswordError`` as ``verify(_:limits:)`` does.
    @concurrent
    public func verify(
        _ password: Secret, limits: PasswordLimits = .standard, on executor: any TaskExecutor
    ) async throws(PasswordError) -> Bool {
        let result = await withTaskExecutorPreference(executor) { () async -> Result<Bool, PasswordError> in
            Result { () throws(PasswordError) in try verify(password, limits: limits) }
        }
        return try result.get()
    }
}

extension PasswordHash: Hashable {
    /// Whether both are the same hash, written the same way.
    public static func == (left: PasswordHash, right: PasswordHash) -> Bool { left.text == right.text }

    /// Mixes the text in.
    public func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

extension PasswordHash: CustomStringConvertible, CustomReflectable {
    /// The algorithm, never the hash.
    public var description: String { "PasswordHash(\(type(of: scheme)))" }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

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
