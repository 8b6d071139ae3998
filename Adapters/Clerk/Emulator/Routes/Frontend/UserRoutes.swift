import LockstepEmulation
import LockstepPrimitives

/// `/v1/me` itself: the profile, its metadata, and the deletion of the account.
struct UserRoutes {
    let context: RequestContext

    /// The members of ``update()``.
    static let updateBody: BodySchema = .form(
        "username", "first_name", "last_name", "primary_email_address_id", "primary_phone_number_id", "primary_web3_wallet_id")

    func get() throws -> Answer { try answer(try context.user) }

    /// Changes names, user name and primary addresses.
    ///
    /// Metadata has a separate route in this version (https://clerk.com/docs/reference/frontend-api).
    func update() throws -> Answer {
        var user = try context.user
        for name in ["first_name", "last_name", "username"]
        where context.form.has(name) && !context.settings.requirement(of: name).isEnabled {
            throw ClerkError.unknown(name)
        }
        if let name = try context.form.personName("first_name") { user.firstName = name }
        if let name = try context.form.personName("last_name") { user.lastName = name }
        if let text = context.form["username"] { try setUsername(text, &user) }
        let former = user.primaryEmailID
        if let id = context.form.text("primary_email_address_id") { user.primaryEmailID = try primary(id, .email, of: user) }
        try context.addressNotices.tell(former, changedTo: user.primaryEmailID)
        if let id = context.form.text("primary_phone_number_id") { user.primaryPhoneID = try primary(id, .phone, of: user) }
        if let id = context.form.text("primary_web3_wallet_id") { throw ClerkError.notFound(id) }
        try context.users.save(&user)
        return try answer(user)
    }

    /// Merges into the user's own metadata; `null` removes a key.
    func updateMetadata() throws -> Answer {
        var user = try context.user
        if let change = try context.form.object("unsafe_metadata") {
            user.unsafeMetadata = try user.unsafeMetadata.merged(with: change).checkedMetadata("unsafe_metadata")
        }
        try context.users.save(&user)
        return try answer(user)
    }

    func delete() throws -> Answer {
        let user = try context.user
        guard user.canDeleteSelf ?? context.settings.allowsDeletingSelf else { throw ClerkError.deleteSelfDisabled }
        _ = try context.freshUser()
        try context.users.delete(user)
        try context.reloadClient()
        if var client = context.client {
            try context.clients.settle(&client)
            context.client = client
        }
        return .resource(["id": .string(user.id), "object": "user", "deleted": true])
    }

    private func setUsername(_ text: String, _ user: inout UserRecord) throws {
        guard !text.isEmpty else {
            if context.settings.username == .required { throw ClerkError.empty("username") }
            return user.username = nil
        }
        let name = try Username.read(text, context.settings.usernameRules).text
        if let other = try context.users.find(identifier: .username(name))?.user, other.id.exact != user.id.exact {
            throw ClerkError.taken("username")
        }
        user.username = name
    }

    private func primary(_ id: String, _ kind: IdentificationRecord.Kind, of user: UserRecord) throws -> String {
        guard let row = try context.db.find(IdentificationRecord.self, "id = \(id)"), row.userID.exact == user.id.exact,
            row.kind == kind
        else {
            throw ClerkError.notFound(id)
        }
        guard row.isVerified else {
            throw ClerkError.malformed(
                "primary_\(kind.rawValue)_id", "The primary \(kind.rawValue) must be verified first.")
        }
        return id
    }

    private func answer(_ user: UserRecord) throws -> Answer { .resource(try context.userJSON.user(user)) }
}

/// `/v1/me/change_password` and `/v1/me/remove_password`.
struct PasswordRoutes {
    let context: RequestContext

    /// The members of ``change()``.
    static let changeBody: BodySchema = .form("current_password", "new_password", "sign_out_of_other_sessions")

    /// Sets a password; the first password needs no current one.
    ///
    /// Other sessions end unless the request forbids it.
    func change() throws -> Answer {
        guard context.settings.password.isEnabled else { throw ClerkError.featureNotEnabled }
        let session = try context.session
        var user = try context.freshUser()
        let new = try context.form.required("new_password")
        if user.passwordDigest != nil, session.status != .pending { try checkCurrent(user) }
        if try context.matches(new, user) == true { throw ClerkError.samePassword }
        try context.passwords.set(new, of: &user, parameter: "new_password")
        if try context.form.flag("sign_out_of_other_sessions") ?? true {
            try context.sessions.revokeAll(of: user, but: session.id)
        }
        return .resource(try context.userJSON.user(user))
    }

    func remove() throws -> Answer {
        var user = try context.user
        guard user.passwordDigest != nil else { throw ClerkError.noPassword }
        if context.settings.password == .required { throw ClerkError.passwordRequired }
        try checkCurrent(user)
        try context.passwords.remove(from: &user)
        return .resource(try context.userJSON.user(user))
    }

    private func checkCurrent(_ user: UserRecord) throws {
        try context.lockout.check(user)
        let current = try context.form.required("current_password")
        if try context.matches(current, user) != true {
            throw try context.lockout.refusal(.wrongCurrentPassword("current_password"), countedFor: user)
        }
    }
}

extension JSONObject {
    /// Returns the object with `change` merged in at every depth; `null` removes a member.
    func merged(with change: JSONObject) -> JSONObject {
        var result = self
        for (name, value) in change {
            switch (result[name], value) {
            case (_, .null): result[name] = nil
            case (.object(let old)?, .object(let new)): result[name] = .object(old.merged(with: new))
            case (_, .object(let new)): result[name] = .object(JSONObject().merged(with: new))
            default: result[name] = value
            }
        }
        return result
    }
}
