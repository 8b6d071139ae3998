import LockstepPrimitives

/// `/v1/users/{user_id}`: change and delete.
struct BackendUserRoutes {
    let call: BackendCall

    private var context: RequestContext { call.context }

    /// Changes a user.
    ///
    /// Metadata has a route of its own at this version (https://clerk.com/docs/reference/backend-api).
    func update() throws -> BackendResponse {
        try call.fields.check([
            "external_id", "first_name", "last_name", "locale", "primary_email_address_id",
            "notify_primary_email_address_changed",
            "primary_phone_number_id", "primary_web3_wallet_id", "username", "profile_image_id", "password", "password_digest",
            "password_hasher", "skip_password_checks", "sign_out_of_other_sessions", "totp_secret", "backup_codes",
            "delete_self_enabled",
            "create_organization_enabled", "legal_accepted_at", "skip_legal_checks", "create_organizations_limit", "created_at",
            "bypass_client_trust",
        ])
        var user = try call.user()
        let edit = BackendUserEdit(call: call)
        try edit.apply(to: &user)
        if let created = try call.fields.time("created_at") { user.createdAt = created }
        let former = user.primaryEmailID
        if let id = try call.fields.text("primary_email_address_id") { user.primaryEmailID = try primary(id, .email, of: user) }
        if try call.fields.flag("notify_primary_email_address_changed") == true {
            try context.addressNotices.tell(former, changedTo: user.primaryEmailID)
        }
        if let id = try call.fields.text("primary_phone_number_id") { user.primaryPhoneID = try primary(id, .phone, of: user) }
        let identifiers = try context.users.identifications(of: user).map(\.value) + [user.username].compactMap(\.self)
        try edit.setPassword(&user, identifiers: identifiers)
        try edit.setFactors(&user)
        try context.users.save(&user)
        if try call.fields.flag("sign_out_of_other_sessions") == true {
            try context.sessions.revokeAll(of: user)
        }
        return .resource(try call.json(user))
    }

    func delete() throws -> BackendResponse {
        let user = try call.user()
        try context.users.delete(user)
        return .resource(["object": "user", "id": .string(user.id), "deleted": true])
    }

    /// Merges at every depth; `null` removes a key.
    func mergeMetadata() throws -> BackendResponse {
        try changeMetadata { $0.merged(with: $1) }
    }

    /// Replaces each group that is given.
    func replaceMetadata() throws -> BackendResponse {
        try changeMetadata { $1 }
    }

    private func changeMetadata(_ change: (JSONObject, JSONObject) -> JSONObject) throws -> BackendResponse {
        try call.fields.check(["public_metadata", "private_metadata", "unsafe_metadata"])
        var user = try call.user()
        if let new = try call.fields.metadata("public_metadata", { change(user.publicMetadata, $0) }) {
            user.publicMetadata = new
        }
        if let new = try call.fields.metadata("private_metadata", { change(user.privateMetadata, $0) }) {
            user.privateMetadata = new
        }
        if let new = try call.fields.metadata("unsafe_metadata", { change(user.unsafeMetadata, $0) }) {
            user.unsafeMetadata = new
        }
        try context.users.save(&user)
        return .resource(try call.json(user))
    }

    private func primary(_ id: String, _ kind: IdentificationRecord.Kind, of user: UserRecord) throws -> String {
        guard let row = try call.context.db.find(IdentificationRecord.self, "id = \(id)"), row.userID == user.id,
            row.kind == kind
        else {
            throw ClerkError.notFound(id)
        }
        return id
    }
}
