internal import Lockstep
internal import LockstepPrimitives
internal import LockstepWire

/// The request for the message with whose link the user sets a new password.
struct PasswordResetRequest: PasswordReset {
    let api: FirebaseAPI

    func begin(email: String, in flow: FlowMemory) async throws(AuthError) -> AuthStep {
        .verify(try await api.send(.recovery, to: email, in: flow))
    }
}

/// The new password after a reset: the link's code sets it, and the password then signs in.
struct NewPassword: VerificationStrategy {
    let api: FirebaseAPI

    var capability: Capability { .passwordReset }

    func accepts(_ response: ChallengeResponse.Kind, in kind: Flow.Kind) -> Bool {
        response == .newPassword && kind == .passwordReset
    }

    func attempt(_ response: ChallengeResponse, in flow: FlowMemory) async throws(AuthError) -> AuthStep {
        guard case .newPassword(let password) = response, let code = flow[.oobCode], let email = flow[.email] else {
            throw AuthError(
                .responseNotAccepted, "Open the link of the message before you set the new password.", remedies: [.startAgain])
        }
        if !flow.hasCompleted(.newPassword) {
            do {
                _ = try await api.call(
                    "accounts:resetPassword", ["oobCode": .string(code.reveal()), "newPassword": .string(password.reveal())])
            } catch {
                throw flow.refined(error, code)
            }
            flow.spentLinks.insert(code)
            flow.complete(.newPassword)
        }
        let credential = PasswordCredential(email: email, password: password)
        return try await api.step(for: try await api.call("accounts:signInWithPassword", credential.members), in: flow)
    }
}
