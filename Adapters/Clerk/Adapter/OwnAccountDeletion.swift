internal import Lockstep
internal import LockstepHTTP
internal import LockstepPrimitives
internal import LockstepWire

/// Users who delete themselves, where the instance lets them.
struct OwnAccountDeletion: AccountDeletion {
    let api: ClerkAPI

    func delete(_ session: Session) async throws(AuthError) {
        _ = try await api.about(session, .delete, "/me")
    }
}
