internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// A passkey of a user; it has no credential until its first verification.
struct PasskeyRecord: Record {
    var id: String
    var userID: String
    var name: String
    /// The id of the credential, by which a sign-in finds its user.
    var credentialID: String?
    /// The credential with its key.
    var credential: JSONObject?
    var verification: Verification?
    var lastUsedAt: Instant?
    var createdAt: Instant
    var updatedAt: Instant
}

extension PasskeyRecord {
    init() { self.init(id: "", userID: "", name: "", createdAt: .distantPast, updatedAt: .distantPast) }

    static let table = Table<PasskeyRecord>(
        "passkeys",
        [
            Column("id", \.id, .key), Column("user_id", \.userID, .belongs(to: "users")), Column("name", \.name),
            Column("credential_id", \.credentialID, .unique), Column("credential", \.credential),
            Column("verification", \.verification), Column("last_used_at", \.lastUsedAt), Column("created_at", \.createdAt),
            Column("updated_at", \.updatedAt),
        ],
        indexes: [Index("passkeys_by_user", on: "user_id")])
}
