import LockstepEmulation
import LockstepPrimitives

/// `/v1/users/{user_id}`: change and delete.
struct AdminUserRoutes {
    let context: RequestContext

    /// The members of ``mergeMetadata()`` and ``replaceMetadata()``.
    static let metadataBody: BodySchema = ["public_metadata": .object, "private_metadata": .object, "unsafe_metadata": .object]

    /// The members of ``update()``.
    static let updateBody: BodySchema = [
        "external_id": .text, "first_name": .text, "last_name": .text, "locale": .text,
        "primary_email_address_id": .text, "notify_primary_email_address_changed": .flag, "primary_phone_number_id": .text,
        "primary_web3_wallet_id": .anything, "username": .text, "profile_image_id": .anything, "password": .text,
        "password_digest": .text, "password_hasher": .text, "skip_password_checks": .flag,
        "sign_out_of_other_sessions": .flag, "totp_secret": .text, "backup_codes": .anything,
        "delete_self_enabled": .flag, "create_organization_enabled": .flag, "legal_accepted_at": .text,
        "skip_legal_checks": .anything, "create_organizations_limit": .whole, "created_at": .text,
        "bypass_client_trust": .flag,
    ]

    /// Changes a user.
    ///
    /// Metadata has a separate route in this version (https://clerk.com/docs/reference/backend-api).
    func update() throws -> Answer {
        var user = try context.namedUser()
        let edit = AdminUserEdit(context: context)
        try edit.apply(to: &user)
        if let created = try context.fields.time("created_at") { user.createdAt = created }
        let former = user.primaryEmailID
        if let id = try context.fields.text("primary_email_address_id") {
            user.primaryEmailID = try primary(id, .email, of: user)
        }
        if try context.fields.flag("notify_primary_email_address_changed") == true {
            try context.addressNotices.tell(former, changedTo: user.primaryEmailID)
        }
        if let id = try context.fields.text("primary_phone_number_id") { user.primaryPhoneID = try primary(id, .phone, of: user) }
        let identifiers = try context.users.identifications(of: user).map(\.value) + [user.username].compactMap(\.self)
        try edit.setPassword(&user, identifiers: identifiers)
        try edit.setFactors(&user)
        try context.users.save(&user)
        if try context.fields.flag("sign_out_of_other_sessions") == true {
            try context.sessions.revokeAll(of: user)
        }
        return .resource(try context.privateJSON(user))
    }

    func delete() throws -> Answer {
        let user = try context.namedUser()
        try context.users.delete(user)
        return .resource(["object": "user", "id": .string(user.id), "deleted": true])
    }

    /// Merges the metadata at every depth; `null` removes a key.
    func mergeMetadata() throws -> Answer {
        try changeMetadata { $0.merged(with: $1) }
    }

    /// Replaces each metadata group in the request.
    func replaceMetadata() throws -> Answer {
        try changeMetadata { $1 }
    }

    private func changeMetadata(_ change: (JSONObject, JSONObject) -> JSONObject) throws -> Answer {
        var user = try context.namedUser()
        if let new = try context.fields.metadata("public_metadata", { change(user.publicMetadata, $0) }) {
            user.publicMetadata = new
        }
        if let new = try context.fields.metadata("private_metadata", { change(user.privateMetadata, $0) }) {
            user.privateMetadata = new
        }
        if let new = try context.fields.metadata("unsafe_metadata", { change(user.unsafeMetadata, $0) }) {
            user.unsafeMetadata = new
        }
        try context.users.save(&user)
        return .resource(try context.privateJSON(user))
    }

    private func primary(_ id: String, _ kind: IdentificationRecord.Kind, of user: UserRecord) throws -> String {
        guard let row = try context.db.find(IdentificationRecord.self, "id = \(id)"), row.userID.exact == user.id.exact,
            row.kind == kind
        else {
            throw ClerkError.notFound(id)
        }
        return id
    }
}
