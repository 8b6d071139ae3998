internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// Answers `GET /admin/users/{user_id}/passkeys` and `DELETE …/{passkey_id}`.
struct PasskeysByAdminEndpoint: Endpoint {
    func answer(_ turn: inout Turn, _ db: inout SQLiteConnection) throws -> EmulatorResponse {
        try turn.authenticateAdmin()
        let user = try turn.userOfPath(&db)
        let list = PasskeyList(userID: user.id)
        if turn.request.method == "GET" { return .go(.array(try list.all(&db))) }
        let id = UUIDText.normal(turn.request[placeholder: "passkey_id"])
        try list.delete(id, &db)
        try turn.auditAdministrator(.passkeyDeleted, of: user, &db, traits: ["passkey_id": .string(id ?? "")])
        return .empty()
    }
}
