internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// Answers `GET /user`.
struct UserEndpoint: Endpoint {
    var isReading: Bool { true }

    func answer(_ turn: inout Turn, _ db: inout SQLiteConnection) throws -> EmulatorResponse {
        try turn.authenticate(&db)
        guard let audience = turn.caller?.claims.audience, !audience.isEmpty, audience == turn.audience else {
            throw GoTrueError.invalid("Token audience doesn't match request audience")
        }
        return .go(try turn.user().json)
    }
}
