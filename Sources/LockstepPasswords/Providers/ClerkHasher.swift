/// The name of a hash algorithm in the field `password_hasher` of Clerk's Backend API (specification of 2026-05-12).
public struct ClerkHasher: RawRepresentable, Hashable, Sendable {
    /// The name that a request contains.
    public let rawValue: String

    /// Creates a hasher from a name, even if the name is unknown.
    ///
    /// - Parameter rawValue: The name.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// bcrypt.
    public static let bcrypt = ClerkHasher(rawValue: "bcrypt")
    /// bcrypt of the SHA-256 digest, as in Django.
    public static let bcryptSHA256Django = ClerkHasher(rawValue: "bcrypt_sha256_django")
    /// bcrypt of the password followed by a pepper.
    public static let bcryptPeppered = ClerkHasher(rawValue: "bcrypt_peppered")
    /// Argon2i.
    public static let argon2i = ClerkHasher(rawValue: "argon2i")
    /// Argon2id.
    public static let argon2id = ClerkHasher(rawValue: "argon2id")
    /// Firebase's scrypt.
    public static let scryptFirebase = ClerkHasher(rawValue: "scrypt_firebase")
    /// scrypt in Werkzeug's format.
    public static let scryptWerkzeug = ClerkHasher(rawValue: "scrypt_werkzeug")
    /// PBKDF2 with SHA-1; the hash is hexadecimal.
    public static let pbkdf2SHA1 = ClerkHasher(rawValue: "pbkdf2_sha1")
    /// PBKDF2 with SHA-256; salt and hash are base64.
    public static let pbkdf2SHA256 = ClerkHasher(rawValue: "pbkdf2_sha256")
    /// PBKDF2 with SHA-256 in Django's format; the hash is base64.
    public static let pbkdf2SHA256Django = ClerkHasher(rawValue: "pbkdf2_sha256_django")
    /// PBKDF2 with SHA-512; the hash is hexadecimal.
    public static let pbkdf2SHA512 = ClerkHasher(rawValue: "pbkdf2_sha512")
    /// PBKDF2 with SHA-512; salt and hash are hexadecimal.
    public static let pbkdf2SHA512Hex = ClerkHasher(rawValue: "pbkdf2_sha512_hex")
    /// phpass.
    public static let phpass = ClerkHasher(rawValue: "phpass")
    /// phpass of the MD5 digest.
    public static let md5PHPass = ClerkHasher(rawValue: "md5_phpass")
    /// Salted SHA-1, as in LDAP.
    public static let ldapSSHA = ClerkHasher(rawValue: "ldap_ssha")
    /// MD5 in hexadecimal.
    public static let md5 = ClerkHasher(rawValue: "md5")
    /// MD5 of salt and password.
    public static let md5Salted = ClerkHasher(rawValue: "md5_salted")
    /// SHA-256 in hexadecimal.
    public static let sha256 = ClerkHasher(rawValue: "sha256")
    /// SHA-256 of salt and password.
    public static let sha256Salted = ClerkHasher(rawValue: "sha256_salted")
    /// SHA-512, as in old versions of Symfony.
    public static let sha512Symfony = ClerkHasher(rawValue: "sha512_symfony")

    /// All hashers with a known format.
    package static let all: [ClerkHasher] = [
        .bcrypt, .bcryptSHA256Django, .bcryptPeppered, .argon2i, .argon2id, .scryptFirebase, .scryptWerkzeug,
        .pbkdf2SHA1, .pbkdf2SHA256, .pbkdf2SHA256Django, .pbkdf2SHA512, .pbkdf2SHA512Hex, .phpass, .md5PHPass,
        .ldapSSHA, .md5, .md5Salted, .sha256, .sha256Salted, .sha512Symfony,
    ]

    /// Whether the algorithm is weak.
    ///
    /// At the first successful sign-in, Clerk replaces such a hash with a bcrypt hash.
    public var isReplacedAtSignIn: Bool {
        [.md5, .md5Salted, .sha256, .sha256Salted, .sha512Symfony].contains(self)
    }
}
