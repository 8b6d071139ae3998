internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// Answers `GET /admin/users/{user_id}/passkeys` and `DELETE …/{passkey_id}`.
struct PasskeysByAdminEndpoint: Endpoint {
    func answer(_ turn: inout Turn, _ db: inout SQLiteConnection) throws -> EmulatorResponse {
        try turn.authenticateAdmin()
        let list = PasskeyList(userID: try turn.userOfPath(&db).id)
        try turn.askForPasskeys()
        if turn.request.method == "GET" { return .go(.array(try list.all(&db))) }
        try list.delete(UUIDText.normal(turn.request[placeholder: "passkey_id"]), &db)
        return .empty()
    }
}
