internal import LockstepCrypto
internal import LockstepPrimitives

/// A bcrypt hash of a text that was derived from the password.
struct PreparedCryptHash: PasswordScheme {
    /// The way to derive the text from the password.
    enum Preparation {
        /// The SHA-256 digest as hexadecimal digits (Django).
        case digested
        /// The password, followed by a text that only the server knows (Devise).
        case peppered([UInt8])
    }

    let preparation: Preparation
    let hash: CryptHash

    init(_ preparation: Preparation, _ hash: CryptHash) throws(PasswordError) {
        guard hash.isBcrypt else { throw .malformed("bcrypt") }
        self.preparation = preparation
        self.hash = hash
    }

    /// Reads `bcrypt_sha256$$2b$12$…`.
    init(django text: String) throws(PasswordError) {
        guard text.hasPrefix("bcrypt_sha256$$") else { throw .malformed("bcrypt_sha256") }
        try self.init(.digested, CryptHash(String(text.dropFirst(14))))
    }

    /// Reads `$prepared$pepper=…$2b$12$…`.
    init(_ text: String) throws(PasswordError) {
        let parts = text.split(separator: "$", maxSplits: 2, omittingEmptySubsequences: true)
        guard parts.count == 3, parts[1].hasPrefix("pepper="), let pepper = HashText.read(String(parts[1].dropFirst(7))) else {
            throw .malformed("peppered bcrypt")
        }
        try self.init(.peppered(pepper), CryptHash("$" + String(parts[2])))
    }

    func matches(_ password: [UInt8]) throws(PasswordError) -> Bool {
        switch preparation {
        case .digested: try hash.matches(Array(Hex.encode(HashFunction.sha256.digest(password)).utf8))
        case .peppered(let pepper): try hash.matches(password + pepper)
        }
    }

    var effort: PasswordEffort { hash.effort }

    var text: String {
        switch preparation {
        case .digested: "bcrypt_sha256$" + hash.text
        case .peppered(let pepper): "$prepared$pepper=" + HashText.write(pepper) + hash.text
        }
    }
}
