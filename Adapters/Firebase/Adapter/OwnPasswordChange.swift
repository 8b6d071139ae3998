internal import Lockstep
internal import LockstepPrimitives
internal import LockstepWire

/// Sets a new password, which ends the user's other sessions; this one gets new tokens.
struct OwnPasswordChange: PasswordChange {
    let api: FirebaseAPI

    func change(to new: Secret, current: Secret?, of session: Session) async throws(AuthError) -> Session {
        if let current {
            guard let email = session.user.email else {
                throw AuthError(.invalidCredentials, "The account has no address, and so no password to compare with.")
            }
            // Firebase wants a recent sign-in and never checks the password, so this signs in with it. The tokens of that sign-in
            // are discarded: an old session stays old.
            let proof = try await api.call(
                "accounts:signInWithPassword", PasswordCredential(email: email, password: current).members)
            // For a user with a second factor the answer has no user id; the password was right all the same.
            guard proof.object["localId"].map({ $0.string == session.user.id }) ?? true else {
                throw AuthError(.userMismatch, "The password is another user's, who has the address now. Nothing was changed.")
            }
        }
        return try await api.update(["password": .string(new.reveal())], of: session)
    }
}
