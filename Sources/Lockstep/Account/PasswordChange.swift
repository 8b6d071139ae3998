public import LockstepPrimitives

/// Changing the password of the user who is signed in.
public protocol PasswordChange: Sendable {
    /// Sets the new password, and returns the session that continues.
    ///
    /// A current password that is given is the user's own, or nothing changes: where the backend does not compare it in the same
    /// call, the adapter verifies it first, by a sign-in whose tokens are discarded and whose session is ended.
    ///
    /// - Throws: `weakPassword`, `samePassword`, `invalidCredentials` (the current one is wrong), `reauthenticationRequired`.
    func change(to new: Secret, current: Secret?, of session: Session) async throws(AuthError) -> Session

    /// Sets the new password, and asks for a proof where the backend wants one and sends it itself: a code that completes the
    /// flow.
    func begin(to new: Secret, of session: Session, in flow: FlowMemory) async throws(AuthError) -> SignInStep
}

extension PasswordChange {
    /// Sets the new password; the backend sends no proof for it.
    public func begin(to new: Secret, of session: Session, in flow: FlowMemory) async throws(AuthError) -> SignInStep {
        .complete(try await change(to: new, current: nil, of: session))
    }
}
