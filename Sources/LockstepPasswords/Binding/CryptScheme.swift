/// A kind of crypt(3) hash, identified by the prefix of its hashes.
struct CryptScheme: RawRepresentable, Hashable, Sendable {
    /// The prefix.
    let rawValue: String

    /// Creates a scheme from its prefix.
    init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// bcrypt as OpenBSD writes it since 2014; cost 4 to 31.
    static let bcrypt = CryptScheme(rawValue: "$2b$")
    /// bcrypt as Go and most others write it; cost 4 to 31.
    static let bcryptA = CryptScheme(rawValue: "$2a$")
    /// bcrypt as PHP writes it; cost 4 to 31.
    static let bcryptY = CryptScheme(rawValue: "$2y$")
    /// SHA-crypt with SHA-256; 1000 to 999,999,999 rounds.
    static let sha256 = CryptScheme(rawValue: "$5$")
    /// SHA-crypt with SHA-512; 1000 to 999,999,999 rounds.
    static let sha512 = CryptScheme(rawValue: "$6$")
}
