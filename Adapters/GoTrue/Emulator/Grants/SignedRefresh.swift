internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// A refresh with a token of version 2.
struct SignedRefresh {
    let token: SignedRefreshToken

    func answer(_ context: RequestContext) throws -> EmulatorResponse {
        guard let known = try context.db.session(id: token.sessionID), let user = try context.db.user(id: known.userID),
            let current = known.refreshCounter, token.isSigned(by: known.refreshKey)
        else { throw RefreshGrant.notFound }
        guard token.counter <= current else {
            throw GoTrueError.invalid("Invalid Refresh Token: Not Issued By This Server")
        }
        var session = try SessionGate(context: context, user: user).admit(known.id, tokenUsedAt: nil)
        if token.counter < current {
            let causes = causes(session, context)
            guard !causes.isEmpty else { return try refuse(session, context) }
            context.headers.append(("sb-auth-refresh-token-reuse-cause", causes.joined(separator: ",")))
        } else {
            session.refreshCounter = current + 1
            session.refreshedAt = context.now
            try context.db.run(
                "UPDATE sessions SET refresh_token_counter = \(current + 1), refreshed_at = \(context.now), updated_at = \(context.now) WHERE id = \(session.id)"
            )
            context.headers.append(("sb-auth-refresh-token-reuse", "false"))
        }
        try context.auditLog.record(.tokenRefreshed, user)
        let text = try SignedRefreshToken(sessionID: session.id, counter: session.refreshCounter ?? 0).text(
            key: session.refreshKey)
        return .go(try context.sessions.issue(text, of: session, to: user, by: nil).json)
    }

    /// The reason why reuse of an older token is allowed.
    private func causes(_ session: Session, _ context: RequestContext) -> [String] {
        var causes: [String] = []
        let last = session.refreshedAt ?? session.createdAt
        if context.now < last + context.settings.refresh.reuseInterval { causes.append("concurrent-refresh") }
        if (session.refreshCounter ?? 0) - token.counter == 1 { causes.append("fail-to-save") }
        if context.settings.refresh.allowsReuse { causes.append("always-allow") }
        return causes
    }

    private func refuse(_ session: Session, _ context: RequestContext) throws -> EmulatorResponse {
        if context.settings.refresh.punishesReuse {
            try context.db.endSession(id: session.id)
            context.headers.append(("sb-auth-refresh-token-rotated", "true"))
        }
        return context.response(to: RefreshGrant.alreadyUsed)
    }
}
