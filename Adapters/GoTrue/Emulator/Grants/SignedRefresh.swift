internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// A refresh with a token of version 2.
struct SignedRefresh {
    let token: SignedRefreshToken

    func answer(_ turn: inout Turn, _ db: inout SQLiteConnection) throws -> EmulatorResponse {
        guard let known = try db.session(id: token.sessionID), let user = try db.user(id: known.userID),
            let current = known.refreshCounter, token.isSigned(by: known.refreshKey)
        else { throw RefreshGrant.notFound }
        guard token.counter <= current else {
            throw GoTrueError.invalid("Invalid Refresh Token: Not Issued By This Server")
        }
        var session = try SessionGate(user: user).admit(known.id, tokenUsedAt: nil, &turn, &db)
        if token.counter < current {
            let causes = causes(session, turn)
            guard !causes.isEmpty else { return try refuse(session, &turn, &db) }
            turn.notes.append(("sb-auth-refresh-token-reuse-cause", causes.joined(separator: ",")))
        } else {
            session.refreshCounter = current + 1
            session.refreshedAt = turn.now
            try db.run(
                "UPDATE sessions SET refresh_token_counter = \(current + 1), refreshed_at = \(turn.now), updated_at = \(turn.now) WHERE id = \(session.id)"
            )
            turn.notes.append(("sb-auth-refresh-token-reuse", "false"))
        }
        try turn.audit(.tokenRefreshed, user, &db)
        let text = try SignedRefreshToken(sessionID: session.id, counter: session.refreshCounter ?? 0).text(
            key: session.refreshKey)
        return .go(try turn.issue(text, of: session, to: user, by: nil).json)
    }

    /// The reason why reuse of an older token is allowed.
    private func causes(_ session: Session, _ turn: Turn) -> [String] {
        var causes: [String] = []
        let last = session.refreshedAt ?? session.createdAt
        if turn.now < last + turn.settings.refresh.reuseInterval { causes.append("concurrent-refresh") }
        if (session.refreshCounter ?? 0) - token.counter == 1 { causes.append("fail-to-save") }
        if turn.settings.refresh.allowsReuse { causes.append("always-allow") }
        return causes
    }

    private func refuse(_ session: Session, _ turn: inout Turn, _ db: inout SQLiteConnection) throws -> EmulatorResponse {
        if turn.settings.refresh.punishesReuse {
            try db.endSession(id: session.id)
            turn.notes.append(("sb-auth-refresh-token-rotated", "true"))
        }
        return turn.refusal(RefreshGrant.alreadyUsed)
    }
}
