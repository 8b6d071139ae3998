public import LockstepPrimitives

/// A stored password hash, with its algorithm, costs and salt.
///
/// Depending on the hash, a check of a password takes microseconds to seconds, and blocks the thread. Call
/// ``verify(_:limits:)`` on a thread that may block, or call ``verify(_:limits:on:)`` with an executor of such threads.
/// The description of a hash contains only the algorithm.
///
/// ```swift
/// let hash = try PasswordHash("$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy")
/// let isCorrect = try hash.verify("a password")
/// ```
public struct PasswordHash: Sendable {
    let scheme: any PasswordScheme

    init(_ scheme: some PasswordScheme) {
        self.scheme = scheme
    }

    /// The hash in a text format that ``init(_:)`` can read.
    ///
    /// The text has the usual format of the algorithm, such as `$2b$…`, `$argon2id$…` or `$fbscrypt$…`. If the
    /// algorithm has no usual format, the text has a similar format. Do not show the text, because an attacker can use
    /// it to guess passwords. The text of a Firebase hash also contains the project's signer key.
    public var text: String { scheme.text }

    /// Checks a password, and blocks the thread.
    ///
    /// bcrypt uses only the first 72 bytes of a password. This check also ignores the other bytes, because an old hash
    /// may have been made from a longer password.
    ///
    /// - Parameters:
    ///   - password: The password.
    ///   - limits: The maximum cost of the check.
    /// - Returns: Whether the password is correct.
    /// - Throws: ``PasswordError`` with `tooCostly` if the cost exceeds the limits, or `unavailable` if the machine
    ///   cannot compute the hash.
    public func verify(_ password: Secret, limits: PasswordLimits = .standard) throws(PasswordError) -> Bool {
        guard isWithin(limits) else {
            throw PasswordError(
                .tooCostly, "Checking a password against this hash needs more memory or time than the limits allow.")
        }
        return try scheme.matches(Array(password.reveal().utf8))
    }

    /// Checks a password on an executor.
    ///
    /// - Parameters:
    ///   - password: The password.
    ///   - limits: The maximum cost of the check.
    ///   - executor: An executor with threads that may block.
    /// - Returns: Whether the password is correct.
    /// - Throws: ``PasswordError``, as ``verify(_:limits:)`` does.
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

extension PasswordHash {
    /// Whether the cost of a check is within limits.
    ///
    /// - Parameter limits: The maximum cost of a check.
    /// - Returns: Whether a check is allowed.
    package func isWithin(_ limits: PasswordLimits) -> Bool { scheme.effort.isWithin(limits) }

    /// Whether a password can have this hash.
    ///
    /// Firebase's hash is the encrypted signer key. So if their lengths differ, one of them was cut, and no password matches.
    package var isWhole: Bool {
        guard let hash = scheme as? FirebaseScryptHash else { return true }
        return hash.hash.count == hash.project.signerKey.count
    }
}

extension PasswordHash: Hashable {
    /// Returns whether both are the same hash in the same format.
    public static func == (left: PasswordHash, right: PasswordHash) -> Bool { left.text == right.text }

    /// Hashes the text of the password hash.
    ///
    /// - Parameter hasher: The hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

extension PasswordHash: CustomStringConvertible, CustomReflectable {
    /// The name of the algorithm, never the hash.
    public var description: String { "PasswordHash(\(type(of: scheme)))" }

    /// A mirror without children, so that `dump` does not show the hash.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

extension PasswordHash {
    /// Reads a hash from a text that identifies its algorithm.
    ///
    /// The text must have a format that ``text`` returns, or another usual format that identifies the algorithm.
    ///
    /// This initializer supports bcrypt, SHA-crypt, MD5-crypt, Argon2, scrypt, PBKDF2, phpass, and LDAP's salted SHA-1.
    /// The initializer also supports Django's format for PBKDF2, Werkzeug's for scrypt, and GoTrue's for Firebase's
    /// scrypt. Digests with or without a key must have this project's own format.
    ///
    /// - Parameter text: The text.
    /// - Throws: ``PasswordError`` with `unsupported` if the text does not begin like one of these formats; `malformed`
    ///   if the rest is invalid.
    public init(_ text: String) throws(PasswordError) {
        guard let reader = Self.readers.first(where: { text.hasPrefix($0.prefix) }) else {
            throw PasswordError(.unsupported, "The text is not a supported password hash.")
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
