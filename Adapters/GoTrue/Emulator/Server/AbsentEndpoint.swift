internal import LockstepEmulation
internal import LockstepSQLite

/// A feature that is off.
struct AbsentEndpoint: Endpoint {
    let error: GoTrueError
    var caller = Caller.anybody

    /// The bearer that is checked before the answer.
    enum Caller {
        case anybody
        case user
        case administrator
    }

    var isReading: Bool { true }

    func answer(_ turn: inout Turn, _ db: inout SQLiteConnection) throws -> EmulatorResponse {
        switch caller {
        case .anybody: break
        case .user: try turn.authenticate(&db)
        case .administrator: try turn.authenticateAdmin()
        }
        throw error
    }
}
