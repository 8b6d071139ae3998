internal import Lockstep
internal import LockstepHTTP
internal import LockstepPrimitives
internal import LockstepWire

/// The request for the message after which the user can set a new password.
struct PasswordResetRequest: PasswordReset {
    let api: GoTrueAPI

    func begin(email: String, in flow: FlowMemory) async throws(AuthError) -> AuthStep {
        .verify(try await api.sendRecovery(email, in: flow))
    }
}

/// The new password: after a reset, whose verification has created a session that may set it, or for a password change
/// that waits for it.
struct NewPassword: VerificationStrategy {
    let api: GoTrueAPI

    var capability: Capability { .passwordReset }

    func accepts(_ response: ChallengeResponse.Kind, in kind: Flow.Kind) -> Bool {
        response == .newPassword && [.passwordReset, .reauthentication].contains(kind)
    }

    func attempt(_ response: ChallengeResponse, in flow: FlowMemory) async throws(AuthError) -> AuthStep {
        if case .newPassword(let password) = response, flow.message?.kind == .reauthentication {
            return try await OwnPasswordChange(api: api).finish(with: password, in: flow)
        }
        guard case .newPassword(let password) = response, let session = flow[.unfinishedSession] else {
            throw AuthError(
                .responseNotAccepted, "Verify the address before you set the new password.", remedies: [.startAgain])
        }
        return try await api.asUnfinished(session, in: flow) { session async throws(AuthError) in
            .complete(try await set(password, of: session, in: flow))
        }
    }

    private func set(_ password: Secret, of session: Session, in flow: FlowMemory) async throws(AuthError) -> Session {
        var session = session
        let wasSent = flow[unstored: Self.sent] == password
        flow[unstored: Self.sent] = password
        do {
            let response = try await api.call(
                .put, "/user", body: ["password": .string(password.reveal())], as: session.accessToken)
            session.user = try User(goTrue: response.object)
        } catch {
            // The server has already set the password, and its response was lost. So the same password is not a
            // different one for the server.
            if error.code == .samePassword, wasSent { return session }
            // If the server itself has rejected a password, it was not set.
            if error.provider?.code != nil { flow[unstored: Self.sent] = nil }
            throw error
        }
        return session
    }

    /// The note of the password that was sent last, which is in memory only.
    private static let sent = "sentPassword"
}
