internal import Lockstep
internal import LockstepPrimitives

/// The user's identities.
///
/// Firebase would remove the last one too, and lock the user out: the adapter refuses that.
struct OwnIdentities: IdentityLinking {
    let api: FirebaseAPI

    func unlink(_ identity: Identity, from session: Session) async throws(AuthError) -> Session {
        let user = try await api.user(as: session.accessToken, claims: session.claims)
        guard user.identities.contains(where: { $0.id == identity.id }) else {
            throw AuthError(.invalidInput, "The user has no such identity: take one from `user.identities`.")
        }
        guard user.identities.count > 1 else {
            throw AuthError(.lastIdentity, "The last way to sign in cannot be removed.")
        }
        return try await api.renewed(try await api.update(["deleteProvider": [.string(identity.id)]], of: session))
    }
}
