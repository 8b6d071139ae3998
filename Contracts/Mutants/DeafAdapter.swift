internal import Lockstep

/// An adapter that sends no sign-out to the backend.
struct DeafAdapter: AuthAdapter {
    let base: any AuthAdapter
    var named: String?

    var name: String { base.name }
    var backend: String { named ?? base.backend }
    var signIn: SignInStrategies { return base.signIn }
    var verification: [any VerificationStrategy] { base.verification }
    var authority: @Sendable (any SessionAuthority) -> any SessionAuthority = { DeafAuthority(base: $0) }
    var sessions: any SessionAuthority { authority(base.sessions) }
    var callbacks: any CallbackReading { base.callbacks }
    var signOutScopes: Set<SignOutScope> { base.signOutScopes }
    var passwordReset: (any PasswordReset)? { base.passwordReset }
    var profile: (any ProfileUpdate)? { base.profile }
    var passwordChange: (any PasswordChange)? { base.passwordChange }
    var emailChange: (any EmailChange)? { base.emailChange }
    var linking: (any IdentityLinking)? { base.linking }
    var secondFactors: (any SecondFactors)? { base.secondFactors }
    var reauthentication: (any Reauthentication)? { base.reauthentication }
    var accountDeletion: (any AccountDeletion)? { base.accountDeletion }
    var executor: (any TaskExecutor)? { base.executor }
}

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

struct DeafAuthority: SessionAuthority {
    let base: any SessionAuthority

    func refresh(_ session: Session) async throws(AuthError) -> Session { try await base.refresh(session) }

    func reload(_ session: Session) async throws(AuthError) -> Session { try await base.reload(session) }

    func revoke(_ session: Session, scope: SignOutScope) async throws(AuthError) {}
}
