internal import Lockstep
internal import LockstepPrimitives

/// Sets a new password, which ends the user's other sessions; this one gets new tokens.
struct OwnPasswordChange: PasswordChange {
    let api: FirebaseAPI

    func change(to new: Secret, current: Secret?, of session: Session) async throws(AuthError) -> Session {
        if let current, let email = session.user.email {
            // Firebase asks for a recent sign-in and never for the password, so it is asked here. The tokens of that sign-in are
            // not taken: an old session stays one.
            _ = try await api.call("accounts:signInWithPassword", PasswordCredential(email: email, password: current).members)
        }
        return try await api.update(["password": .string(new.reveal())], of: session)
    }
}
