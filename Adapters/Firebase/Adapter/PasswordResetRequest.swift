internal import Lockstep
internal import LockstepPrimitives

/// Asks for the message whose link lets the user set a new password.
struct PasswordResetRequest: PasswordReset {
    let api: FirebaseAPI

    func begin(email: String, in flow: FlowMemory) async throws(AuthError) -> SignInStep {
        .verify(try await api.send(.recovery, to: email, in: flow))
    }
}
