internal import Lockstep
internal import LockstepPrimitives

/// Sets a new password, which ends the user's other sessions; this one gets new tokens.
struct OwnPasswordChange: PasswordChange {
    let api: FirebaseAPI

    func change(to new: Secret, current: Secret?, of session: Session) async throws(AuthError) -> Session {
        var session = session
        if let current, let email = session.user.email {
            // Firebase asks for a recent sign-in and never for the password: whoever gives it, signs in by it.
            let credential = PasswordCredential(email: email, password: current)
            let answer = try await api.call("accounts:signInWithPassword", credential.members)
            if answer.object["mfaPendingCredential"] == nil { session = session.renewed(by: try api.tokens(answer)) }
        }
        return try await api.update(["password": .string(new.reveal())], of: session)
    }
}
