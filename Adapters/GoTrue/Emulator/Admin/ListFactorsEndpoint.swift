internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// Answers `GET /admin/users/{user_id}/factors`.
struct ListFactorsEndpoint: Endpoint {
    var isReading: Bool { true }

    func answer(_ turn: inout Turn, _ db: inout SQLiteConnection) throws -> EmulatorResponse {
        try turn.authenticateAdmin()
        return .go(.array(try turn.userOfPath(&db).factors.map { .object($0.json) }))
    }
}
