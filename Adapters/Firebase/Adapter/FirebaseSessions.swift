internal import Lockstep
internal import LockstepPrimitives

/// Firebase's sessions: refresh tokens do not rotate, and clients cannot end a session.
struct FirebaseSessions: SessionAuthority {
    let api: FirebaseAPI

    func refresh(_ session: Session) async throws(AuthError) -> Session {
        session.renewed(by: try await api.refresh(session.refreshToken))
    }

    func reload(_ session: Session) async throws(AuthError) -> Session {
        var current = session
        current.user = try await api.user(as: session.accessToken, claims: session.claims)
        guard !current.user.isTold(by: session.claims) else { return current }
        return try await api.renewed(current)
    }

    /// Nothing to do: there is no call for it.
    ///
    /// The refresh token lives on at Firebase.
    func revoke(_ session: Session, scope: SignOutScope) async throws(AuthError) {
        guard scope == .local else {
            throw .unsupported(scope == .others ? .signOutOthers : .signOutEverywhere, by: FirebaseAdapter.name)
        }
    }
}

extension FirebaseAPI {
    /// The session with a token whose claims match the user as it is now.
    func renewed(_ session: Session) async throws(AuthError) -> Session {
        var copy = session.renewed(by: try await refresh(session.refreshToken))
        copy.user = session.user
        return copy
    }
}
