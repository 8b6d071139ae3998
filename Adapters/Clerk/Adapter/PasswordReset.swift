internal import Lockstep
internal import LockstepHTTP
internal import LockstepPrimitives
internal import LockstepWire

/// The reset of a forgotten password: a code to the address, then the new password.
struct PasswordResetRequest: PasswordReset {
    let api: ClerkAPI

    func begin(email: String, in flow: FlowMemory) async throws(AuthError) -> AuthStep {
        flow.prepareClient()
        return .verify(try await api.sendCode("reset_password_email_code", to: email, in: flow))
    }
}

/// The new password that a reset or an administrator requires; it ends the sessions of the old password.
struct NewPassword: VerificationStrategy {
    let api: ClerkAPI

    var capability: Capability { .newPasswordStep }

    func accepts(_ response: ChallengeResponse.Kind, in kind: Flow.Kind) -> Bool {
        response == .newPassword && [.passwordReset, .signIn].contains(kind)
    }

    func attempt(_ response: ChallengeResponse, in flow: FlowMemory) async throws(AuthError) -> AuthStep {
        guard case .newPassword(let password) = response, let id = flow[.signIn] else {
            throw AuthError(
                .responseNotAccepted, "Verify the address before you set the new password.", remedies: [.startAgain])
        }
        let response = try await api.call(
            .post, "/client/sign_ins/\(id)/reset_password",
            [("password", password.reveal()), ("sign_out_of_other_sessions", "true")],
            in: flow)
        return try await api.step(ofSignIn: response, in: flow)
    }
}
