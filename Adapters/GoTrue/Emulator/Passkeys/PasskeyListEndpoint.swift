internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// Answers `GET /passkeys`.
struct PasskeyListEndpoint: Endpoint {
    func answer(_ turn: inout Turn, _ db: inout SQLiteConnection) throws -> EmulatorResponse {
        try turn.askForPasskeys()
        try turn.authenticate(&db)
        return .go(.array(try PasskeyList(userID: turn.user().id).all(&db)))
    }
}
