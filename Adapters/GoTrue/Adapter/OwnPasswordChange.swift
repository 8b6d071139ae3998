internal import Lockstep
internal import LockstepHTTP
internal import LockstepPrimitives
internal import LockstepWire

/// Sets a new password.
///
/// The session goes on, the user's others end.
struct OwnPasswordChange: PasswordChange {
    let api: GoTrueAPI

    func change(to new: Secret, current: Secret?, of session: Session) async throws(AuthError) -> Session {
        var body: JSONObject = ["password": .string(new.reveal())]
        if let current { body["current_password"] = .string(current.reveal()) }
        return try await set(body, of: session)
    }

    /// Sets a new password; where the sign-in is too old for the project, by a code (`GET /reauthenticate`, then `nonce`).
    func begin(to new: Secret, of session: Session, in flow: FlowMemory) async throws(AuthError) -> SignInStep {
        do {
            return .complete(try await change(to: new, current: nil, of: session))
        } catch  where error.provider?.code == "reauthentication_needed" {
            flow.note(.user, session.user.id)
            flow[.newPassword] = new
            return .verify(try await api.sendReauthentication(of: session, in: flow))
        }
    }

    /// Sets the password that the flow was begun for, with the code of its message.
    func finish(_ code: Secret, in flow: FlowMemory) async throws(AuthError) -> SignInStep {
        guard let new = flow[.newPassword], let session = flow.session else {
            throw AuthError(.flowNotFound, "The flow has lost the password that it was begun for.", remedies: [.startAgain])
        }
        return .complete(
            try await set(["password": .string(new.reveal()), "nonce": .string(code.reveal())], of: session))
    }

    private func set(_ body: JSONObject, of session: Session) async throws(AuthError) -> Session {
        var copy = session
        copy.user = try User(goTrue: try await api.call(.put, "/user", body: body, as: session.accessToken).object)
        return copy
    }
}
