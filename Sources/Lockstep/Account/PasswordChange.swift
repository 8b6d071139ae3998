public import LockstepPrimitives

/// Changing the password of the user who is signed in.
public protocol PasswordChange: Sendable {
    /// Sets the new password, and gives the session that goes on.
    ///
    /// - Throws: `weakPassword`, `samePassword`, `invalidCredentials` (the current one is wrong), `reauthenticationRequired`.
    func change(to new: Secret, current: Secret?, of session: Session) async throws(AuthError) -> Session
}
