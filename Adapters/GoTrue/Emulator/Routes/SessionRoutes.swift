internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// The route that ends sessions.
struct SessionRoutes {
    let context: RequestContext

    /// Handles `POST /logout`.
    func end() throws -> EmulatorResponse {
        let user = try context.user
        let scope = context.request.query["scope"] ?? ""
        guard ["", "global", "local", "others"].contains(scope) else {
            throw GoTrueError.invalid("Unsupported logout scope \(GoText.quoted(scope))")
        }
        try context.auditLog.record(.logout, user)
        switch (scope, context.session) {
        case ("local", let session?): try context.db.delete(Session.self, "id = \(session.id)")
        case ("others", let session?): try context.db.endSessions(of: user.id, except: session.id)
        default: try context.db.endSessions(of: user.id)
        }
        return .empty()
    }
}
