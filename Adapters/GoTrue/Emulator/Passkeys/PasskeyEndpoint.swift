internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// Answers `PATCH` and `DELETE /passkeys/{passkey_id}`.
struct PasskeyEndpoint: Endpoint {
    static let shape = BodyShape("PasskeyUpdateParams", [("friendly_name", .text)])

    func answer(_ turn: inout Turn, _ db: inout SQLiteConnection) throws -> EmulatorResponse {
        try turn.askForPasskeys()
        try turn.authenticate(&db)
        if turn.request.method == "DELETE" { try turn.askForPasskeyRights() }
        let user = try turn.user()
        let list = PasskeyList(userID: user.id)
        let id = UUIDText.normal(turn.request[placeholder: "passkey_id"])
        guard turn.request.method == "PATCH" else {
            try list.delete(id, &db)
            try turn.audit(.passkeyDeleted, user, &db, traits: ["passkey_id": .string(id ?? "")])
            return .empty()
        }
        guard id != nil else { throw PasskeyList.notFound }
        let name = try Body(of: turn.request, as: Self.shape)[text: "friendly_name"]
        guard !name.isEmpty else { throw GoTrueError.invalid("friendly_name is required") }
        guard name.unicodeScalars.count <= 120 else { throw GoTrueError.invalid("friendly_name must be 120 characters or less") }
        _ = try list.one(id, &db)
        try db.run(
            "UPDATE webauthn_credentials SET friendly_name = \(name), updated_at = \(turn.now) WHERE id = \(id.sqliteValue)")
        try turn.audit(.passkeyUpdated, user, &db, traits: ["passkey_id": .string(id ?? "")])
        return .go(try list.one(id, &db))
    }
}
