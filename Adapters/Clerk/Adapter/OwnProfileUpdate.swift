internal import Lockstep
internal import LockstepHTTP
internal import LockstepPrimitives
internal import LockstepWire

/// First and last name; a photo is an upload at Clerk and not an address.
struct OwnProfileUpdate: ProfileUpdate {
    let api: ClerkAPI

    var takesPhoto: Bool { false }

    func update(_ changes: ProfileChanges, of session: Session) async throws(AuthError) -> Session {
        guard let name = changes.displayName else { return session }
        do {
            return try api.session(session, with: try await api.about(session, .patch, "/me", PersonName(name).form))
        } catch  where error.provider?.code == "form_param_unknown" {
            let metadata: JSON = ["display_name": .string(name)]
            let answer = try await api.about(session, .patch, "/me/metadata", [("unsafe_metadata", metadata.text())])
            return try api.session(session, with: answer)
        }
    }
}
