internal import Lockstep
internal import LockstepHTTP
internal import LockstepPrimitives
internal import LockstepWire

/// The user's identities.
///
/// Removing one may change the user's address.
struct OwnIdentities: IdentityLinking {
    let api: GoTrueAPI

    func unlink(_ identity: Identity, from session: Session) async throws(AuthError) -> Session {
        guard identity.id.isUUID else {
            throw AuthError(.invalidInput, "The user has no such identity: take one from `user.identities`.")
        }
        _ = try await api.call(.delete, "/user/identities/\(given: identity.id)", as: session.accessToken)
        return api.outdated(session, user: try await api.user(as: session.accessToken))
    }
}
