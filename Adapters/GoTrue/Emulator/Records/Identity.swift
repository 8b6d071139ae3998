internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// An identity of an account: an address, a number, or a person at a provider.
struct Identity: Record {
    /// The id of the row, which a request needs to remove the identity.
    var id = ""
    var userID = ""
    var provider = ""
    /// The provider's id of the person; the user's own id for addresses and numbers.
    var subject = ""
    var data: JSONObject = [:]
    var lastSignInAt: Instant?
    var createdAt = Instant.distantPast
    /// The real server does not update it with the data.
    var updatedAt = Instant.distantPast

    static let table = Table<Identity>(
        "identities",
        [
            Column("id", \.id, .unique), Column("user_id", \.userID, .belongs(to: "users (id)")),
            Column("provider", \.provider), Column("provider_id", \.subject), Column("identity_data", \.data),
            Column("email", derived: \.email), Column("last_sign_in_at", \.lastSignInAt), Column("created_at", \.createdAt),
            Column("updated_at", \.updatedAt),
        ], numbered: "row", rules: ["UNIQUE (provider_id, provider)"],
        indexes: [Index("identities_user", on: "user_id"), Index("identities_email", on: "email")])

    /// The address in the data, in lower case.
    var email: String? { data["email"]?.string?.lowercased() }

    /// Whether the provider, or an email of the server, has verified the address.
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

    /// Returns the data that the server stores for an address or a number.
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
        try all(Identity.self, "user_id = \(userID) ORDER BY row")
    }

    mutating func identity(subject: String, provider: String) throws -> Identity? {
        try find(Identity.self, "provider_id = \(subject) AND provider = \(provider)")
    }

    /// Returns the ids of the users who have an identity with this address.
    mutating func users(ofIdentityEmail email: String) throws -> [String] {
        try all("SELECT user_id FROM identities WHERE email = \(email.lowercased()) GROUP BY user_id ORDER BY min(row)") {
            row throws(SQLiteError) in try row[0]
        }
    }

    /// Returns the owner of an address: the user who has it, or the user of an identity with it.
    ///
    /// - `user`: The user whose identities are ignored; the user's own address is not ignored.
    mutating func owner(ofEmail email: String, audience: String, but user: String? = nil) throws -> User? {
        if let owner = try self.user(email: email, audience: audience) { return owner }
        for id in try users(ofIdentityEmail: email) where id.exact != user?.exact {
            if let owner = try self.user(id: id), owner.audience == audience { return owner }
        }
        return nil
    }
}
