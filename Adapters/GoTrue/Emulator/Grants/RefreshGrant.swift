internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// Answers `grant_type=refresh_token`.
struct RefreshGrant: FormerEndpoint {
    static let shape = BodySchema.go("RefreshTokenGrantParams", ["refresh_token": .text])

    static let notFound = GoTrueError.bad(.refreshTokenNotFound, "Invalid Refresh Token: Refresh Token Not Found")
    static let alreadyUsed = GoTrueError.bad(.refreshTokenAlreadyUsed, "Invalid Refresh Token: Already Used")

    func answer(_ context: RequestContext) throws -> EmulatorResponse {
        let token = try Body(of: context.request, as: Self.shape)[text: "refresh_token"]
        if token.utf8.count == 12 {
            guard token.utf8.allSatisfy({ $0 >= 0x61 && $0 <= 0x7a || $0 >= 0x30 && $0 <= 0x39 }) else { throw Self.malformed }
            return try refresh(token, context)
        }
        guard token.utf8.count > 12, let signed = SignedRefreshToken(token) else { throw Self.malformed }
        return try SignedRefresh(token: signed).answer(context)
    }

    private static let malformed = GoTrueError.invalid("Refresh token is not valid")

    private func refresh(_ text: String, _ context: RequestContext) throws -> EmulatorResponse {
        guard let token = try context.db.refreshToken(text), var user = try context.db.user(id: token.userID) else {
            throw Self.notFound
        }
        let gate = SessionGate(context: context, user: user)
        var session = try gate.admit(token.sessionID, tokenUsedAt: token.updatedAt)
        var issued: String?
        if token.isRevoked {
            if let active = try context.db.activeRefreshToken(of: session.id), active.parent == token.token {
                // The client never received, or never stored, the previous answer.
                issued = active.token
            } else if context.settings.refresh.reuseInterval == .zero
                || context.now > token.updatedAt + context.settings.refresh.reuseInterval
            {
                if context.settings.refresh.punishesReuse {
                    try context.db.run(
                        "UPDATE refresh_tokens SET revoked = 1, updated_at = \(context.now) WHERE session_id = \(session.id) AND revoked = 0"
                    )
                }
                return context.response(to: Self.alreadyUsed)
            }
        }
        try context.auditLog.record(.tokenRefreshed, user)
        if issued == nil {
            try context.auditLog.record(.tokenRevoked, user)
            let fresh = context.sessions.newRefreshToken()
            try context.db.insertRefreshToken(fresh, parent: token, session: session, at: context.now)
            issued = fresh
            user.updatedAt = context.now
            context.headers.append(("sb-auth-refresh-token-reuse", "false"))
        }
        session.refreshedAt = context.now
        try context.db.run(
            "UPDATE sessions SET refreshed_at = \(context.now), updated_at = \(context.now) WHERE id = \(session.id)")
        if token.isRevoked { context.headers.removeAll { $0.name == "sb-auth-refresh-token-reuse" } }
        return .go(try context.sessions.issue(issued ?? text, of: session, to: user, by: nil).json)
    }
}
