internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// Answers `grant_type=refresh_token`.
struct RefreshGrant: Endpoint {
    static let shape = BodyShape("RefreshTokenGrantParams", [("refresh_token", .text)])

    static let notFound = GoTrueError.bad(.refreshTokenNotFound, "Invalid Refresh Token: Refresh Token Not Found")
    static let alreadyUsed = GoTrueError.bad(.refreshTokenAlreadyUsed, "Invalid Refresh Token: Already Used")

    func answer(_ turn: inout Turn, _ db: inout SQLiteConnection) throws -> EmulatorResponse {
        let token = try Body(of: turn.request, as: Self.shape)[text: "refresh_token"]
        if token.utf8.count == 12 {
            guard token.utf8.allSatisfy({ $0 >= 0x61 && $0 <= 0x7a || $0 >= 0x30 && $0 <= 0x39 }) else { throw Self.malformed }
            return try refresh(token, &turn, &db)
        }
        guard token.utf8.count > 12, let signed = SignedRefreshToken(token) else { throw Self.malformed }
        return try SignedRefresh(token: signed).answer(&turn, &db)
    }

    private static let malformed = GoTrueError.invalid("Refresh token is not valid")

    private func refresh(_ text: String, _ turn: inout Turn, _ db: inout SQLiteConnection) throws -> EmulatorResponse {
        guard let token = try db.refreshToken(text), var user = try db.user(id: token.userID) else { throw Self.notFound }
        let gate = SessionGate(user: user)
        var session = try gate.admit(token.sessionID, tokenUsedAt: token.updatedAt, &turn, &db)
        var issued: String?
        if token.isRevoked {
            if let active = try db.activeRefreshToken(of: session.id), active.parent == token.token {
                // The client never received, or never stored, the previous answer.
                issued = active.token
            } else if turn.settings.refresh.reuseInterval == .zero
                || turn.now > token.updatedAt + turn.settings.refresh.reuseInterval
            {
                if turn.settings.refresh.punishesReuse {
                    try db.run(
                        "UPDATE refresh_tokens SET revoked = 1, updated_at = \(turn.now) WHERE session_id = \(session.id) AND revoked = 0"
                    )
                }
                return turn.refusal(Self.alreadyUsed)
            }
        }
        try turn.audit(.tokenRefreshed, user, &db)
        if issued == nil {
            try turn.audit(.tokenRevoked, user, &db)
            let fresh = turn.newRefreshToken()
            try db.insertRefreshToken(fresh, parent: token, session: session, at: turn.now)
            issued = fresh
            user.updatedAt = turn.now
            turn.notes.append(("sb-auth-refresh-token-reuse", "false"))
        }
        session.refreshedAt = turn.now
        try db.run("UPDATE sessions SET refreshed_at = \(turn.now), updated_at = \(turn.now) WHERE id = \(session.id)")
        if token.isRevoked { turn.notes.removeAll { $0.name == "sb-auth-refresh-token-reuse" } }
        return .go(try turn.issue(issued ?? text, of: session, to: user, by: nil).json)
    }
}
