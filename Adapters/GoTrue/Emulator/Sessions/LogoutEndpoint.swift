internal import LockstepEmulation
internal import LockstepSQLite

/// Answers `POST /logout`.
struct LogoutEndpoint: Endpoint {
    func answer(_ context: RequestContext) throws -> EmulatorResponse {
        let user = try context.authenticator.requireUser()
        let scope = context.request.query["scope"] ?? ""
        guard ["", "global", "local", "others"].contains(scope) else {
            throw GoTrueError.invalid("Unsupported logout scope \(GoText.quoted(scope))")
        }
        try context.auditLog.record(.logout, user)
        switch (scope, context.caller?.session) {
        case ("local", let session?): try context.db.endSession(id: session.id)
        case ("others", let session?): try context.db.endSessions(of: user.id, except: session.id)
        default: try context.db.endSessions(of: user.id)
        }
        return .empty()
    }
}
