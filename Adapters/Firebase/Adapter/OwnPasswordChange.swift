internal import Lockstep
internal import LockstepPrimitives

/// Sets a new password, which ends the user's other sessions; this one gets new tokens.
struct OwnPasswordChange: PasswordChange {
    let api: FirebaseAPI

    func change(to new: Secret, current: Secret?, of session: Session) async throws(AuthError) -> Session {
        if let current {
            guard let email = session.user.email else {
                throw AuthError(.invalidCredentials, "The account has no address, and so no password to compare with.")
            }
            // Firebase asks for a recent sign-in and never for the password, so it is asked here. The tokens of that sign-in are
            // not taken: an old session stays one.
            let proof = try await api.call(
                "accounts:signInWithPassword", PasswordCredential(email: email, password: current).members)
            // The answer of a user with a second factor names nobody: its password was right all the same.
            guard proof.object["localId"].map({ $0.string == session.user.id }) ?? true else {
                throw AuthError(.userMismatch, "The password is another user's, who has the address now. Nothing was changed.")
            }
        }
        return try await api.update(["password": .string(new.reveal())], of: session)
    }
}
