internal import Lockstep
internal import LockstepPrimitives

/// Deletes the account of the user who is signed in.
struct OwnAccountDeletion: AccountDeletion {
    let api: FirebaseAPI

    func delete(_ session: Session) async throws(AuthError) {
        _ = try await api.call("accounts:delete", ["idToken": .string(session.accessToken.reveal())])
    }
}
