internal import Lockstep

/// Sessions that are renewed or ended in another way.
struct AlteredAuthority: SessionAuthority {
    let base: any SessionAuthority
    var onRefresh: @Sendable (any SessionAuthority, Session) async throws(AuthError) -> Session = {
        base, session throws(AuthError) in try await base.refresh(session)
    }
    var onRevoke: @Sendable (any SessionAuthority, Session, SignOutScope) async throws(AuthError) -> Void = {
        base, session, scope throws(AuthError) in try await base.revoke(session, scope: scope)
    }

    func refresh(_ session: Session) async throws(AuthError) -> Session { try await onRefresh(base, session) }

    func reload(_ session: Session) async throws(AuthError) -> Session { try await base.reload(session) }

    func revoke(_ session: Session, scope: SignOutScope) async throws(AuthError) { try await onRevoke(base, session, scope) }
}
