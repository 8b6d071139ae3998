/// A password's hash, as it is stored and shown.
struct StoredPassword: Sendable, Equatable {
    /// `passwordHash` on the wire: bytes in base 64, or the literal form of Firebase's emulator.
    var hash: String
    /// `salt` on the wire.
    var salt: String?
    /// How the hash was made; `nil` for the project's own way.
    var scheme: String?
}
