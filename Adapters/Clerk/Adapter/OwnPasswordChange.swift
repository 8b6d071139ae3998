internal import Lockstep
internal import LockstepHTTP
internal import LockstepPrimitives
internal import LockstepWire

/// A new password in the place of the current one.
struct OwnPasswordChange: PasswordChange {
    let api: ClerkAPI

    func change(to new: Secret, current: Secret?, of session: Session) async throws(AuthError) -> Session {
        var form = [(name: "new_password", value: new.reveal()), (name: "sign_out_of_other_sessions", value: "true")]
        if let current { form.append(("current_password", current.reveal())) }
        return try api.session(session, with: try await api.about(session, .post, "/me/change_password", form))
    }
}
