internal import LockstepPrimitives
internal import LockstepSQLite

/// Whether a session may still be refreshed.
struct SessionGate {
    let user: User

    /// - Parameter tokenUsedAt: When a version 1 token was last written; it is the age of a session that was never refreshed.
    func admit(
        _ sessionID: String, tokenUsedAt: Instant?, _ turn: inout Turn, _ db: inout SQLiteConnection
    ) throws -> Session {
        turn.notes.append(("sb-auth-user-id", user.id))
        if user.isBanned(at: turn.now) { throw GoTrueError.bad(.userBanned, "Invalid Refresh Token: User Banned") }
        guard let session = try db.session(id: sessionID) else {
            throw GoTrueError.bad(.sessionNotFound, "Invalid Refresh Token: No Valid Session Found")
        }
        turn.notes.append(("sb-auth-session-id", session.id))
        var ending = ending(of: session, tokenUsedAt: tokenUsedAt, turn)
        if ending == nil, turn.settings.sessions.isSinglePerUser, try isReplaced(session, tokenUsedAt: tokenUsedAt, turn, &db) {
            ending = " (Revoked by Newer Login)"
        }
        if let ending { throw GoTrueError.bad(.sessionExpired, "Invalid Refresh Token: Session Expired" + ending) }
        return session
    }

    private func lastUse(of session: Session, tokenUsedAt: Instant?) -> Instant {
        session.refreshedAt ?? max(session.createdAt, tokenUsedAt ?? session.createdAt)
    }

    private func ending(of session: Session, tokenUsedAt: Instant?, _ turn: Turn) -> String? {
        let settings = turn.settings.sessions
        if let life = settings.life, turn.now > session.createdAt + life { return "" }
        if let life = settings.idleLife, turn.now > lastUse(of: session, tokenUsedAt: tokenUsedAt) + life {
            return " (Inactivity)"
        }
        if let life = settings.lowAssuranceLife, !session.isSecondFactor, user.hasVerifiedFactor,
            turn.now > session.createdAt + life
        {
            return " (Low AAL: User Needs MFA Verification)"
        }
        return nil
    }

    /// Whether another valid session was used later; of two in one millisecond the newer one counts.
    private func isReplaced(
        _ session: Session, tokenUsedAt: Instant?, _ turn: Turn, _ db: inout SQLiteConnection
    ) throws -> Bool {
        let own = lastUse(of: session, tokenUsedAt: tokenUsedAt)
        return try db.sessions(of: user.id).contains { other in
            guard other.id != session.id, ending(of: other, tokenUsedAt: nil, turn) == nil else { return false }
            let use = lastUse(of: other, tokenUsedAt: nil)
            return use > own || use == own && other.row > session.row
        }
    }
}
