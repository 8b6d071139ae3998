internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// Answers `GET /passkeys`.
struct PasskeyListEndpoint: Endpoint {
    func answer(_ turn: inout Turn, _ db: inout SQLiteConnection) throws -> EmulatorResponse {
        try turn.authenticate(&db)
        try turn.askForPasskeys()
        return .go(.array(try PasskeyList(userID: turn.user().id).all(&db)))
    }
}
