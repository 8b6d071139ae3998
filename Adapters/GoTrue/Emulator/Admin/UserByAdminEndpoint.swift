internal import LockstepCrypto
internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// Answers `GET /admin/users/{user_id}`.
struct UserByAdminEndpoint: Endpoint {
    var isReading: Bool { true }

    func answer(_ turn: inout Turn, _ db: inout SQLiteConnection) throws -> EmulatorResponse {
        try turn.authenticateAdmin()
        return .go(try turn.userOfPath(&db).json)
    }
}
