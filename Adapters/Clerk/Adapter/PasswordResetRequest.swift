internal import Lockstep

/// A forgotten password: a code to the address, then the new password.
struct PasswordResetRequest: PasswordReset {
    let api: ClerkAPI

    func begin(email: String, in flow: FlowMemory) async throws(AuthError) -> SignInStep {
        flow.prepareClient()
        return .verify(try await api.sendCode("reset_password_email_code", to: email, in: flow))
    }
}
