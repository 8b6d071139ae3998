import LockstepPrimitives

/// `/v1/me` itself: the profile, its metadata, and the end of the account.
struct ProfileRoutes {
    let call: FrontendCall

    private var context: RequestContext { call.context }

    func get() throws -> FrontendResponse { try answer(try call.user()) }

    /// Changes names, user name and primary addresses.
    ///
    /// Metadata has a route of its own at this version (https://clerk.com/docs/reference/frontend-api).
    func update() throws -> FrontendResponse {
        try call.form.check([
            "username", "first_name", "last_name", "primary_email_address_id", "primary_phone_number_id",
            "primary_web3_wallet_id",
        ])
        var user = try call.user()
        for name in ["first_name", "last_name", "username"]
        where call.form.has(name) && !call.settings.requirement(of: name).isEnabled {
            throw ClerkError.unknown(name)
        }
        if let name = try call.form.personName("first_name") { user.firstName = name }
        if let name = try call.form.personName("last_name") { user.lastName = name }
        if let text = call.form["username"] { try setUsername(text, &user) }
        let former = user.primaryEmailID
        if let id = call.form.text("primary_email_address_id") { user.primaryEmailID = try primary(id, .email, of: user) }
        try context.addressNotices.tell(former, changedTo: user.primaryEmailID)
        if let id = call.form.text("primary_phone_number_id") { user.primaryPhoneID = try primary(id, .phone, of: user) }
        if let id = call.form.text("primary_web3_wallet_id") { throw ClerkError.notFound(id) }
        try context.users.save(&user)
        return try answer(user)
    }

    /// Merges into the user's own metadata; `null` removes a key.
    func updateMetadata() throws -> FrontendResponse {
        try call.form.check(["unsafe_metadata"])
        var user = try call.user()
        if let change = try call.form.object("unsafe_metadata") {
            user.unsafeMetadata = try user.unsafeMetadata.merged(with: change).checkedMetadata("unsafe_metadata")
        }
        try context.users.save(&user)
        return try answer(user)
    }

    func delete() throws -> FrontendResponse {
        let user = try call.user()
        guard user.canDeleteSelf ?? call.settings.allowsDeletingSelf else { throw ClerkError.deleteSelfDisabled }
        _ = try call.freshUser()
        try context.users.delete(user)
        try call.reloadClient()
        if var client = call.client {
            try context.clients.settle(&client)
            call.client = client
        }
        return .resource(["id": .string(user.id), "object": "user", "deleted": true])
    }

    private func setUsername(_ text: String, _ user: inout UserRecord) throws {
        guard !text.isEmpty else {
            if call.settings.username == .required { throw ClerkError.empty("username") }
            return user.username = nil
        }
        let name = try Username.read(text, call.settings.usernameRules).text
        if let other = try context.users.find(identifier: .username(name))?.user, other.id != user.id {
            throw ClerkError.taken("username")
        }
        user.username = name
    }

    private func primary(_ id: String, _ kind: IdentificationRecord.Kind, of user: UserRecord) throws -> String {
        guard let row = try call.context.db.find(IdentificationRecord.self, "id = \(id)"), row.userID == user.id,
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

    private func answer(_ user: UserRecord) throws -> FrontendResponse { .resource(try context.userJSON.user(user)) }
}

/// `/v1/me/change_password` and `/v1/me/remove_password`.
struct PasswordRoutes {
    let call: FrontendCall

    private var context: RequestContext { call.context }

    /// Sets a password, the first one without a current one.
    ///
    /// Other sessions end unless the request says no.
    func change() throws -> FrontendResponse {
        try call.form.check(["current_password", "new_password", "sign_out_of_other_sessions"])
        guard call.settings.password.isEnabled else { throw ClerkError.featureNotEnabled }
        let session = try call.session()
        var user = try call.freshUser()
        let new = try call.form.required("new_password")
        if user.passwordDigest != nil, session.status != .pending { try checkCurrent(user) }
        if try context.matches(new, user) == true { throw ClerkError.samePassword }
        try context.passwords.set(new, of: &user, parameter: "new_password")
        if try call.form.flag("sign_out_of_other_sessions") ?? true {
            try context.sessions.revokeAll(of: user, but: session.id)
        }
        return .resource(try context.userJSON.user(user))
    }

    func remove() throws -> FrontendResponse {
        try call.form.check(["current_password"])
        var user = try call.freshUser()
        guard user.passwordDigest != nil else { throw ClerkError.noPassword }
        if call.settings.password == .required { throw ClerkError.passwordRequired }
        try checkCurrent(user)
        try context.passwords.remove(from: &user)
        return .resource(try context.userJSON.user(user))
    }

    private func checkCurrent(_ user: UserRecord) throws {
        try context.lockout.check(user)
        let current = try call.form.required("current_password")
        if try context.matches(current, user) != true {
            throw try context.lockout.refusal(.wrongCurrentPassword("current_password"), countedFor: user)
        }
    }
}

extension JSONObject {
    /// The same with `change` merged in, object into object at every depth; `null` removes a member.
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
