internal import LockstepEmulation
internal import LockstepPrimitives

/// A passkey of a user.
struct Passkey: Record {
    var id = ""
    var userID = ""
    /// The authenticator's id of it.
    var credentialID = ""
    /// Its public key and counter (``WebAuthnCredential``).
    var credential: JSONObject = [:]
    var name = ""
    var createdAt = Instant.distantPast
    var updatedAt = Instant.distantPast
    var lastUsedAt: Instant?

    static let table = Table<Passkey>(
        "webauthn_credentials",
        [
            Column("id", \.id, .unique), Column("user_id", \.userID, .belongs(to: "users (id)")),
            Column("credential_id", \.credentialID, .unique), Column("credential", \.credential),
            Column("friendly_name", \.name), Column("created_at", \.createdAt), Column("updated_at", \.updatedAt),
            Column("last_used_at", \.lastUsedAt),
        ], numbered: "row", indexes: [Index("webauthn_credentials_user", on: "user_id")])

    /// The passkey in a response.
    var json: JSONObject {
        var json: JSONObject = ["id": .string(id)]
        if !name.isEmpty { json["friendly_name"] = .string(name) }
        json["created_at"] = Timestamp.json(createdAt)
        json["last_used_at"] = lastUsedAt.map(Timestamp.json)
        return json
    }
}

/// An open challenge for a passkey.
struct PasskeyChallenge: Record {
    var id = ""
    /// The user who registers a passkey; `nil` for a sign-in.
    var userID: String?
    var challenge = ""
    var expiresAt = Instant.distantPast

    static let table = Table<PasskeyChallenge>(
        "webauthn_challenges",
        [
            Column("id", \.id, .key), Column("user_id", \.userID, .belongs(to: "users (id)")), Column("challenge", \.challenge),
            Column("expires_at", \.expiresAt),
        ])
}
