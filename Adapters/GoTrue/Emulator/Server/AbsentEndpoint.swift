internal import LockstepEmulation
internal import LockstepSQLite

/// A feature that is off.
struct AbsentEndpoint: Endpoint {
    let error: GoTrueError
    let isForAdmins: Bool

    var isReading: Bool { true }

    func answer(_ turn: inout Turn, _ db: inout SQLiteConnection) throws -> EmulatorResponse {
        if isForAdmins { try turn.authenticateAdmin() }
        throw error
    }
}
