internal import LockstepEmulation
internal import LockstepSQLite

/// Answers `POST /logout`.
struct LogoutEndpoint: Endpoint {
    func answer(_ turn: inout Turn, _ db: inout SQLiteConnection) throws -> EmulatorResponse {
        try turn.authenticate(&db)
        let scope = turn.request.query["scope"] ?? ""
        guard ["", "global", "local", "others"].contains(scope) else {
            throw GoTrueError.invalid("Unsupported logout scope \(GoText.quoted(scope))")
        }
        let user = try turn.user()
        try turn.audit(.logout, user, &db)
        switch (scope, turn.caller?.session) {
        case ("local", let session?): try db.endSession(id: session.id)
        case ("others", let session?): try db.endSessions(of: user.id, except: session.id)
        default: try db.endSessions(of: user.id)
        }
        return .empty()
    }
}
