internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// Exchanges refresh tokens of both versions.
struct Refreshes {
    let context: RequestContext

    private static let malformed = GoTrueError.invalid("Refresh token is not valid")

    /// Exchanges a token for new ones.
    func refresh(_ token: String) throws -> IssuedSession {
        if token.utf8.count == 12 {
            guard token.utf8.allSatisfy({ $0 >= 0x61 && $0 <= 0x7a || $0 >= 0x30 && $0 <= 0x39 }) else { throw Self.malformed }
            return try refreshPlain(token)
        }
        guard token.utf8.count > 12, let signed = SignedRefreshToken(token) else { throw Self.malformed }
        return try refreshSigned(signed)
    }

    private func refreshPlain(_ text: String) throws -> IssuedSession {
        guard let token = try context.db.find(RefreshToken.self, "token = \(text)"),
            var user = try context.db.user(id: token.userID)
        else {
            throw GoTrueError.refreshTokenNotFound
        }
        let gate = SessionGate(context: context, user: user)
        var session = try gate.admit(token.sessionID, tokenUsedAt: token.updatedAt)
        var issued: String?
        if token.isRevoked {
            if let active = try context.db.activeRefreshToken(of: session.id), active.parent == token.token {
                // The client never received, or never stored, the previous response.
                issued = active.token
            } else if context.settings.refresh.reuseInterval == .zero
                || context.now > token.updatedAt + context.settings.refresh.reuseInterval
            {
                if context.settings.refresh.punishesReuse {
                    try context.db.run(
                        "UPDATE refresh_tokens SET revoked = 1, updated_at = \(context.now) WHERE session_id = \(session.id) AND revoked = 0"
                    )
                }
                throw GoTrueError.refreshTokenUsed.kept
            }
        }
        try context.auditLog.record(.tokenRefreshed, user)
        if issued == nil {
            try context.auditLog.record(.tokenRevoked, user)
            let fresh = context.sessions.newRefreshToken()
            try context.db.insertRefreshToken(fresh, parent: token, session: session, at: context.now)
            issued = fresh
            user.updatedAt = context.now
            if !token.isRevoked { context.headers.append(("sb-auth-refresh-token-reuse", "false")) }
        }
        session.refreshedAt = context.now
        session.updatedAt = context.now
        try context.db.update(session)
        return try context.sessions.issue(issued ?? text, of: session, to: user, by: nil)
    }

    private func refreshSigned(_ token: SignedRefreshToken) throws -> IssuedSession {
        guard let known = try context.db.session(id: token.sessionID), let user = try context.db.user(id: known.userID),
            let current = known.refreshCounter, token.isSigned(by: known.refreshKey)
        else { throw GoTrueError.refreshTokenNotFound }
        guard token.counter <= current else { throw GoTrueError.invalid("Invalid Refresh Token: Not Issued By This Server") }
        var session = try SessionGate(context: context, user: user).admit(known.id, tokenUsedAt: nil)
        if token.counter < current {
            let causes = causes(of: session, token)
            guard !causes.isEmpty else {
                if context.settings.refresh.punishesReuse {
                    try context.db.delete(Session.self, "id = \(session.id)")
                    context.headers.append(("sb-auth-refresh-token-rotated", "true"))
                }
                throw GoTrueError.refreshTokenUsed.kept
            }
            context.headers.append(("sb-auth-refresh-token-reuse-cause", causes.joined(separator: ",")))
        } else {
            session.refreshCounter = current + 1
            session.refreshedAt = context.now
            session.updatedAt = context.now
            try context.db.update(session)
            context.headers.append(("sb-auth-refresh-token-reuse", "false"))
        }
        try context.auditLog.record(.tokenRefreshed, user)
        let text = try SignedRefreshToken(sessionID: session.id, counter: session.refreshCounter ?? 0).text(
            key: session.refreshKey)
        return try context.sessions.issue(text, of: session, to: user, by: nil)
    }

    /// The reasons why reuse of an older token is allowed.
    private func causes(of session: Session, _ token: SignedRefreshToken) -> [String] {
        var causes: [String] = []
        let last = session.refreshedAt ?? session.createdAt
        if context.now < last + context.settings.refresh.reuseInterval { causes.append("concurrent-refresh") }
        if (session.refreshCounter ?? 0) - token.counter == 1 { causes.append("fail-to-save") }
        if context.settings.refresh.allowsReuse { causes.append("always-allow") }
        return causes
    }
}
