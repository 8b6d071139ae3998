internal import LockstepPrimitives

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
