internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// Answers `PUT /admin/users/{user_id}`.
struct UpdateUserByAdminEndpoint: Endpoint {
    func answer(_ turn: inout Turn, _ db: inout SQLiteConnection) throws -> EmulatorResponse {
        try turn.authenticateAdmin()
        var user = try turn.userOfPath(&db)
        let asked = try AdminUserBody(turn.request)
        let email = asked.body[text: "email"].isEmpty ? "" : try Address.email(asked.body[text: "email"])
        let phone = asked.body[text: "phone"].isEmpty ? "" : try Address.phone(asked.body[text: "phone"])
        let ban = try asked.ban(from: turn.now)
        var hash: String?
        if let password = asked.body[sent: "password"] {
            try PasswordRules(settings: turn.settings.passwords).check(password)
            hash = try turn.hash(password)
        }
        if !asked.body[text: "role"].isEmpty { user.role = asked.body[text: "role"] }
        if asked.confirmsEmail { try turn.confirmEmail(&user, &db, orSay: "Error updating user") }
        if asked.confirmsPhone { try turn.confirmPhone(&user, &db) }
        if let hash { try turn.updatePassword(&user, hash: hash, keeping: nil, &db) }
        if !email.isEmpty {
            try change("email", to: email, isConfirmed: asked.confirmsEmail, &user, turn, &db)
            user.email = email
        }
        if !phone.isEmpty {
            try change("phone", to: phone, isConfirmed: asked.confirmsPhone, &user, turn, &db)
            user.phone = phone
        }
        User.merge(asked.appMetadata ?? [:], into: &user.appMetadata)
        if let metadata = asked.userMetadata { user.mergeUserMetadata(metadata) }
        if let ban { user.bannedUntil = ban }
        try turn.save(&user, &db, orSay: "Error updating user")
        try turn.auditAdministrator(.modified, of: user, &db, traits: user.auditTraits)
        return .go(user.json)
    }

    /// The identity of an address changes with it; an answer shows only a new one.
    private func change(
        _ provider: String, to address: String, isConfirmed: Bool, _ user: inout User, _ turn: Turn, _ db: inout SQLiteConnection
    ) throws {
        if isConfirmed { user.isAnonymous = false }
        if var identity = try db.identity(subject: user.id, provider: provider) {
            User.merge([provider: .string(address), "\(provider)_verified": .bool(isConfirmed)], into: &identity.data)
            return try db.save(identity)
        }
        let data =
            provider == "email"
            ? Identity.data(of: user.id, email: address, isVerified: isConfirmed)
            : Identity.data(of: user.id, phone: address, isVerified: isConfirmed)
        user.identities = (user.identities ?? []) + [try turn.makeIdentity(of: user, provider, data, &db)]
    }
}
