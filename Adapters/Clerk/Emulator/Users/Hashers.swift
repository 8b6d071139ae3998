internal import LockstepPasswords

/// The hashers of imported passwords (reference, section 8.2).
struct Hashers {
    let exchange: Exchange

    /// Replaces a weak digest by a bcrypt one, now that the password is known.
    func upgrade(_ user: inout UserRecord, _ password: String) throws {
        guard let hasher = user.passwordHasher, ClerkHasher(rawValue: hasher).isReplacedAtSignIn, password.utf8.count <= 72 else {
            return
        }
        user.passwordDigest = try exchange.digest(of: password)
        user.passwordHasher = ClerkHasher.bcrypt.rawValue
    }
}
