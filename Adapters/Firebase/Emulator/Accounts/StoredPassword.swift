internal import LockstepPrimitives

/// A password's hash, as it is stored and shown.
struct StoredPassword: Sendable, Hashable {
    /// `passwordHash` on the wire: bytes in base 64, or the literal form of Firebase's emulator.
    var hash: String
    /// `salt` on the wire.
    var salt: String?
    /// How the hash was made; `nil` for the project's own way.
    var scheme: String?

    /// Whether the literal form of Firebase's emulator, which hashes nothing, contains `password`; `nil` for a hash.
    func isOpen(with password: String) -> Bool? {
        let prefix = "fakeHash:"
        guard hash.hasPrefix(prefix) else { return nil }
        return Secret(hash) == Secret("\(prefix)salt=\(salt ?? ""):password=\(password)")
    }
}
