internal import LockstepPrimitives
internal import LockstepSQLite

/// An identity of an account: an address, a number, or a person at a provider.
struct Identity: Sendable {
    /// The row's own id, which unlinking takes.
    var id: String
    var userID: String
    var provider: String
    /// The provider's id of the person; the user's own id for addresses and numbers.
    var subject: String
    var data: JSONObject
    var lastSignInAt: Instant?
    var createdAt: Instant
    var updatedAt: Instant

    /// The address in the data, in lower case.
    var email: String? { data["email"]?.string?.lowercased() }

    /// Whether the provider, or a mail of the server, has proven the address.
    var isEmailVerified: Bool { data["email_verified"]?.bool == true }

    /// In the audit log's form.
    var auditTraits: JSONObject {
        ["identity_id": .string(id), "provider": .string(provider), "provider_id": .string(subject)]
    }

    var json: JSONObject {
        var object: JSONObject = [
            "identity_id": .string(id), "id": .string(subject), "user_id": .string(userID),
        ]
        if !data.isEmpty { object["identity_data"] = .object(data.sorted()) }
        object["provider"] = .string(provider)
        object["last_sign_in_at"] = lastSignInAt.map(Timestamp.json)
        object["created_at"] = Timestamp.json(createdAt)
        object["updated_at"] = Timestamp.json(updatedAt)
        if let email, !email.isEmpty { object["email"] = .string(email) }
        return object
    }

    /// The data that the server stores for an address or a number.
    static func data(of userID: String, email: String = "", phone: String = "", isVerified: Bool = false) -> JSONObject {
        var data: JSONObject = ["sub": .string(userID)]
        if !email.isEmpty { data["email"] = .string(email) }
        if !phone.isEmpty { data["phone"] = .string(phone) }
        data["email_verified"] = .bool(isVerified && !email.isEmpty)
        data["phone_verified"] = .bool(isVerified && !phone.isEmpty)
        return data
    }
}

extension SQLiteConnection {
    /// Oldest first.
    mutating func identities(of userID: String) throws -> [Identity] {
        try identities("WHERE user_id = \(userID) ORDER BY row")
    }

    mutating func identities(_ condition: SQL) throws -> [Identity] {
        try all("SELECT * FROM identities " + condition, Identity.init(row:))
    }

    mutating func identity(subject: String, provider: String) throws -> Identity? {
        try identities("WHERE provider_id = \(subject) AND provider = \(provider)").first
    }

    /// The ids of the users who have an identity with this address.
    mutating func users(ofIdentityEmail email: String) throws -> [String] {
        try all("SELECT user_id FROM identities WHERE email = \(email.lowercased()) GROUP BY user_id ORDER BY min(row)") {
            row throws(SQLiteError) in try row[0]
        }
    }

    /// The owner of an address: the user who has it, or an identity with it.
    ///
    /// - Parameter user: The user whose identities do not count; that user's own address does.
    mutating func owner(ofEmail email: String, audience: String, but user: String? = nil) throws -> User? {
        if let owner = try self.user(email: email, audience: audience) { return owner }
        for id in try users(ofIdentityEmail: email) where id != user {
            if let owner = try self.user(id: id), owner.audience == audience { return owner }
        }
        return nil
    }

    mutating func insert(_ identity: Identity) throws {
        try run(
            "INSERT INTO identities (id, user_id, provider, provider_id, identity_data, email, last_sign_in_at, created_at, updated_at) VALUES (\(identity.id), \(identity.userID), \(identity.provider), \(identity.subject), \(StoredObject(identity.data)), \(identity.email.sqliteValue), \(identity.lastSignInAt.sqliteValue), \(identity.createdAt), \(identity.updatedAt))"
        )
    }

    /// Writes an identity's data; the real server does not update its time of change.
    mutating func save(_ identity: Identity) throws {
        try run(
            "UPDATE identities SET provider_id = \(identity.subject), identity_data = \(StoredObject(identity.data)), email = \(identity.email.sqliteValue), last_sign_in_at = \(identity.lastSignInAt.sqliteValue) WHERE id = \(identity.id)"
        )
    }

    mutating func deleteIdentity(id: String) throws {
        try run("DELETE FROM identities WHERE id = \(id)")
    }
}

extension Identity {
    init(row: borrowing SQLiteRow) throws(SQLiteError) {
        id = try row["id"]
        userID = try row["user_id"]
        provider = try row["provider"]
        subject = try row["provider_id"]
        data = try (row["identity_data"] as StoredObject).object
        lastSignInAt = try row["last_sign_in_at"]
        createdAt = try row["created_at"]
        updatedAt = try row["updated_at"]
    }
}
