internal import Lockstep
internal import LockstepHTTP
internal import LockstepPrimitives

/// Sets a new password.
///
/// The session goes on, the user's others end.
struct OwnPasswordChange: PasswordChange {
    let api: GoTrueAPI

    func change(to new: Secret, current: Secret?, of session: Session) async throws(AuthError) -> Session {
        var body: JSONObject = ["password": .string(new.reveal())]
        if let current { body["current_password"] = .string(current.reveal()) }
        let answer = try await api.call(.put, "/user", body: body, as: session.accessToken)
        var copy = session
        copy.user = try User(goTrue: answer.object)
        return copy
    }
}
