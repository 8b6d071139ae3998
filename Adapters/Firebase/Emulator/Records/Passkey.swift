internal import LockstepEmulation
internal import LockstepPrimitives

/// One entry of `passkeyInfo`.
struct Passkey: Sendable, Equatable, DocumentValue {
    let credentialID: String
    let name: String
    /// The key with which strict mode verifies signatures (`WebAuthnCredential`).
    var credential: JSONObject?

    var json: JSON { JSONObject(given: ["credentialId": credentialID, "name": name]).json }

    /// The factor as it is stored in the row of its user.
    var stored: JSON { JSONObject(given: ["credentialId": credentialID, "name": name, "credential": credential]).json }

    init(credentialID: String, name: String, credential: JSONObject? = nil) {
        (self.credentialID, self.name, self.credential) = (credentialID, name, credential)
    }

    /// Reads ``stored``.
    init?(stored: Body) {
        guard let id = stored.text("credentialId") else { return nil }
        self.init(credentialID: id, name: stored.text("name") ?? "", credential: stored.object("credential"))
    }
}

/// The user of a passkey: a passkey belongs to one user only.
struct PasskeyEntry: Record {
    var space: Int64 = 0
    var credential = ""
    var localID = ""

    static let table = Table<PasskeyEntry>(
        "passkeys", [Column("space", \.space), Column("credential", \.credential), Column("local_id", \.localID)],
        key: ["space", "credential"],
        rules: ["FOREIGN KEY (space, local_id) REFERENCES users (space, local_id) ON DELETE CASCADE"],
        indexes: [Index("passkeys_by_user", on: "space, local_id")], isKeyed: true)
}

/// A challenge to which no authenticator has responded yet.
struct PasskeyChallenge: Record {
    var space: Int64 = 0
    var challenge = ""
    /// The user for whom a passkey is created; `nil` for a sign-in.
    var localID: String?
    var createdAt = Instant(seconds: 0)

    static let table = Table<PasskeyChallenge>(
        "passkey_challenges",
        [
            Column("space", \.space, .belongs(to: "spaces (id)")), Column("challenge", \.challenge),
            Column("local_id", \.localID),
            Column("created_at", \.createdAt),
        ], key: ["space", "challenge"], isKeyed: true)
}
