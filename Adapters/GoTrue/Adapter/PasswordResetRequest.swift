internal import Lockstep
internal import LockstepPrimitives

/// Asks for the message after which a new password can be set.
struct PasswordResetRequest: PasswordReset {
    let api: GoTrueAPI

    func begin(email: String, in flow: FlowMemory) async throws(AuthError) -> SignInStep {
        .verify(try await api.sendRecovery(email, in: flow))
    }
}
