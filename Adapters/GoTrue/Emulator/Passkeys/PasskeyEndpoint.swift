internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// Answers `GET /passkeys`.
struct PasskeyListEndpoint: FormerEndpoint {
    func answer(_ context: RequestContext) throws -> EmulatorResponse {
        try context.passkeys.requireEnabled()
        let user = try context.authenticator.requireUser()
        return .go(.array(try PasskeyList(context: context, userID: user.id).all()))
    }
}

/// Answers `PATCH` and `DELETE /passkeys/{passkey_id}`.
struct PasskeyEndpoint: FormerEndpoint {
    static let shape = BodySchema.go("PasskeyUpdateParams", ["friendly_name": .text])

    func answer(_ context: RequestContext) throws -> EmulatorResponse {
        try context.passkeys.requireEnabled()
        let user = try context.authenticator.requireUser()
        if context.request.method == "DELETE" { try context.passkeys.requireRights(of: user) }
        let list = PasskeyList(context: context, userID: user.id)
        let id = UUIDText.normal(context.request[placeholder: "passkey_id"])
        guard context.request.method == "PATCH" else {
            try list.delete(id)
            try context.auditLog.record(.passkeyDeleted, user, traits: ["passkey_id": .string(id ?? "")])
            return .empty()
        }
        guard id != nil else { throw PasskeyList.notFound }
        let name = try Body(of: context.request, as: Self.shape)[text: "friendly_name"]
        guard !name.isEmpty else { throw GoTrueError.invalid("friendly_name is required") }
        guard name.unicodeScalars.count <= 120 else { throw GoTrueError.invalid("friendly_name must be 120 characters or less") }
        _ = try list.one(id)
        try context.db.run(
            "UPDATE webauthn_credentials SET friendly_name = \(name), updated_at = \(context.now) WHERE id = \(id.sqliteValue)")
        try context.auditLog.record(.passkeyUpdated, user, traits: ["passkey_id": .string(id ?? "")])
        return .go(try list.one(id))
    }
}

/// Answers `GET /admin/users/{user_id}/passkeys` and `DELETE …/{passkey_id}`.
struct PasskeysByAdminEndpoint: FormerEndpoint {
    func answer(_ context: RequestContext) throws -> EmulatorResponse {
        try context.authenticator.requireAdministrator()
        let user = try context.accounts.userOfPath()
        let list = PasskeyList(context: context, userID: user.id)
        if context.request.method == "GET" { return .go(.array(try list.all())) }
        let id = UUIDText.normal(context.request[placeholder: "passkey_id"])
        try list.delete(id)
        try context.auditLog.recordAdministrator(.passkeyDeleted, of: user, traits: ["passkey_id": .string(id ?? "")])
        return .empty()
    }
}
