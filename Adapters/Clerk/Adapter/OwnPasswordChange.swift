internal import Lockstep
internal import LockstepHTTP
internal import LockstepPrimitives
internal import LockstepWire

/// Replaces the current password.
struct OwnPasswordChange: PasswordChange {
    let api: ClerkAPI

    func change(to new: Secret, current: Secret?, of session: Session) async throws(AuthError) -> Session {
        var form = [(name: "new_password", value: new.reveal()), (name: "sign_out_of_other_sessions", value: "true")]
        if let current {
            try await refuseWithoutPassword(session)
            form.append(("current_password", current.reveal()))
        }
        return try api.session(session, with: try await api.about(session, .post, "/me/change_password", form))
    }

    /// A user without a password may set the first one; Clerk then ignores the current one, which cannot be right.
    private func refuseWithoutPassword(_ session: Session) async throws(AuthError) {
        guard session.user.fields["password_enabled"]?.bool == false else { return }
        // This device's copy of the user may be outdated.
        guard try await api.about(session, .get, "/me").resource()["password_enabled"]?.bool == false else { return }
        throw AuthError(.invalidCredentials, "The account has no password to compare with.")
    }
}
