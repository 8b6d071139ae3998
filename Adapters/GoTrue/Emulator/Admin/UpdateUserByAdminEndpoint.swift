internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// Answers `PUT /admin/users/{user_id}`.
struct UpdateUserByAdminEndpoint: FormerEndpoint {
    func answer(_ context: RequestContext) throws -> EmulatorResponse {
        try context.authenticator.requireAdministrator()
        var user = try context.accounts.userOfPath()
        let asked = try AdminUserBody(context.request)
        let email = asked.body[text: "email"].isEmpty ? "" : try Address.email(asked.body[text: "email"])
        let phone = asked.body[text: "phone"].isEmpty ? "" : try Address.phone(asked.body[text: "phone"])
        let ban = try asked.ban(from: context.now)
        var hash: String?
        if let password = asked.body.text("password") {
            try context.passwords.check(password)
            hash = try context.passwords.hash(password)
        }
        if !asked.body[text: "role"].isEmpty { user.role = asked.body[text: "role"] }
        if asked.confirmsEmail { try context.accounts.confirmEmail(&user, orSay: "Error updating user") }
        if asked.confirmsPhone { try context.accounts.confirmPhone(&user) }
        if let hash { try context.accounts.updatePassword(&user, hash: hash, keeping: nil) }
        if !email.isEmpty {
            try change("email", to: email, isConfirmed: asked.confirmsEmail, &user, context)
            user.email = email
        }
        if !phone.isEmpty {
            try change("phone", to: phone, isConfirmed: asked.confirmsPhone, &user, context)
            user.phone = phone
        }
        User.merge(asked.appMetadata ?? [:], into: &user.appMetadata)
        if let metadata = asked.userMetadata { user.mergeUserMetadata(metadata) }
        if let ban { user.bannedUntil = ban }
        try context.accounts.save(&user, orSay: "Error updating user")
        try context.auditLog.recordAdministrator(.modified, of: user, traits: user.auditTraits)
        return .go(user.json)
    }

    /// The identity of an address changes with it; an answer shows only a new one.
    private func change(
        _ provider: String, to address: String, isConfirmed: Bool, _ user: inout User, _ context: RequestContext
    ) throws {
        if isConfirmed { user.isAnonymous = false }
        if var identity = try context.db.identity(subject: user.id, provider: provider) {
            User.merge([provider: .string(address), "\(provider)_verified": .bool(isConfirmed)], into: &identity.data)
            return try context.db.save(identity)
        }
        let data =
            provider == "email"
            ? Identity.data(of: user.id, email: address, isVerified: isConfirmed)
            : Identity.data(of: user.id, phone: address, isVerified: isConfirmed)
        user.identities = (user.identities ?? []) + [try context.accounts.makeIdentity(of: user, provider, data)]
    }
}
