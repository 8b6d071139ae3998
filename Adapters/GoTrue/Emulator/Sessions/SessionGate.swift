internal import LockstepPrimitives
internal import LockstepSQLite

/// Whether a session may be refreshed still.
struct SessionGate {
    let user: User

    func admit(
        _ sessionID: String, tokenUsedAt: Instant, _ turn: inout Turn, _ db: inout SQLiteConnection
    ) throws -> Session {
        turn.notes.append(("sb-auth-user-id", user.id))
        if user.isBanned(at: turn.now) { throw GoTrueError.bad(.userBanned, "Invalid Refresh Token: User Banned") }
        guard let session = try db.session(id: sessionID) else {
            throw GoTrueError.bad(.sessionNotFound, "Invalid Refresh Token: No Valid Session Found")
        }
        turn.notes.append(("sb-auth-session-id", session.id))
        if let ending = try ending(of: session, tokenUsedAt: tokenUsedAt, turn, &db) {
            throw GoTrueError.bad(.sessionExpired, "Invalid Refresh Token: Session Expired" + ending)
        }
        return session
    }

    private func ending(
        of session: Session, tokenUsedAt: Instant, _ turn: Turn, _ db: inout SQLiteConnection
    ) throws -> String? {
        let settings = turn.settings.sessions
        if let life = settings.life, turn.now > session.createdAt + life { return "" }
        let lastUse = max(session.refreshedAt ?? tokenUsedAt, tokenUsedAt)
        if let life = settings.idleLife, turn.now > lastUse + life { return " (Inactivity)" }
        if let life = settings.lowAssuranceLife, !session.isSecondFactor, user.hasVerifiedFactor,
            turn.now > session.createdAt + life
        {
            return " (Low AAL: User Needs MFA Verification)"
        }
        if settings.isSinglePerUser {
            let isReplaced = try db.exists("SELECT 1 FROM sessions WHERE user_id = \(user.id) AND row > \(session.row)")
            if isReplaced { return " (Revoked by Newer Login)" }
        }
        return nil
    }
}
