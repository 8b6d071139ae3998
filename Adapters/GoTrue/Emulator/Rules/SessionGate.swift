internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// Checks whether a session may still be refreshed.
struct SessionGate {
    let context: RequestContext
    let user: User

    ///
    /// - `sessionID`: The session's id.
    /// - `tokenUsedAt`: The time when a version 1 token was last written, which is the age of a session
    ///   that was never refreshed.
    func admit(_ sessionID: String, tokenUsedAt: Instant?) throws -> Session {
        context.headers.append(("sb-auth-user-id", user.id))
        if user.isBanned(at: context.now) { throw GoTrueError.bannedAtRefresh }
        guard let session = try context.db.session(id: sessionID) else { throw GoTrueError.sessionNotFound }
        context.headers.append(("sb-auth-session-id", session.id))
        var ending = ending(of: session, tokenUsedAt: tokenUsedAt)
        if ending == nil, context.settings.sessions.isSinglePerUser, try isReplaced(session, tokenUsedAt: tokenUsedAt) {
            ending = " (Revoked by Newer Login)"
        }
        if let ending { throw GoTrueError.sessionExpired(ending) }
        return session
    }

    private func lastUse(of session: Session, tokenUsedAt: Instant?) -> Instant {
        session.refreshedAt ?? max(session.createdAt, tokenUsedAt ?? session.createdAt)
    }

    private func ending(of session: Session, tokenUsedAt: Instant?) -> String? {
        let settings = context.settings.sessions
        if let life = settings.life, context.now > session.createdAt + life { return "" }
        if let life = settings.idleLife, context.now > lastUse(of: session, tokenUsedAt: tokenUsedAt) + life {
            return " (Inactivity)"
        }
        if let life = settings.lowAssuranceLife, !session.isSecondFactor, user.hasVerifiedFactor,
            context.now > session.createdAt + life
        {
            return " (Low AAL: User Needs MFA Verification)"
        }
        return nil
    }

    /// Whether another valid session was used later; within the same millisecond, the newer session is later.
    private func isReplaced(_ session: Session, tokenUsedAt: Instant?) throws -> Bool {
        let own = lastUse(of: session, tokenUsedAt: tokenUsedAt)
        let all = try context.db.sessions(of: user.id)
        let place = all.firstIndex { $0.id.exact == session.id.exact } ?? 0
        return all.enumerated().contains { index, other in
            guard other.id.exact != session.id.exact, ending(of: other, tokenUsedAt: nil) == nil else { return false }
            let use = lastUse(of: other, tokenUsedAt: nil)
            return use > own || use == own && index > place
        }
    }
}
