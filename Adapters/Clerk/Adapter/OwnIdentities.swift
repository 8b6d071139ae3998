internal import Lockstep
internal import LockstepHTTP
internal import LockstepPrimitives
internal import LockstepWire

/// External accounts, addresses and numbers of the user.
struct OwnIdentities: IdentityLinking {
    let api: ClerkAPI

    func unlink(_ identity: Identity, from session: Session) async throws(AuthError) -> Session {
        let list =
            switch identity.provider {
            case .email: "email_addresses"
            case .phone: "phone_numbers"
            default: "external_accounts"
            }
        _ = try await api.about(session, .delete, "/me/\(list)/\(given: identity.id)")
        return try await ClerkSessions(api: api).reload(session)
    }
}
