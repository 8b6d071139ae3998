internal import Lockstep
internal import LockstepHTTP
internal import LockstepPrimitives
internal import LockstepWire

/// Deletes the user's own account, where the instance allows it.
struct OwnAccountDeletion: AccountDeletion {
    let api: ClerkAPI

    func delete(_ session: Session) async throws(AuthError) {
        _ = try await api.about(session, .delete, "/me")
    }
}
