/// Replacing a forgotten password.
public protocol PasswordReset: Sendable {
    /// Asks for the message.
    ///
    /// What follows is answered by the adapter's verification strategies: the proof, then the new password, then the session.
    func begin(email: String, in flow: FlowMemory) async throws(AuthError) -> SignInStep
}
