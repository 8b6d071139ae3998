internal import Lockstep
internal import LockstepHTTP
internal import LockstepPrimitives
internal import LockstepWire

/// Sets a new password.
///
/// The session goes on; the user's other sessions end.
struct OwnPasswordChange: PasswordChange {
    let api: GoTrueAPI

    func change(to new: Secret, current: Secret?, of session: Session) async throws(AuthError) -> Session {
        var body: JSONObject = ["password": .string(new.reveal())]
        if let current {
            try await api.prove(current, of: session)
            body["current_password"] = .string(current.reveal())
        }
        return try await set(body, of: session)
    }

    /// Sets a new password; where the sign-in is too old for the project, by a code (`GET /reauthenticate`, then `nonce`).
    func begin(to new: Secret, of session: Session, in flow: FlowMemory) async throws(AuthError) -> SignInStep {
        do {
            return .complete(try await change(to: new, current: nil, of: session))
        } catch  where error.provider?.code == "reauthentication_needed" {
            flow[.requiredUser] = session.user.id
            flow.newPassword = new
            return .verify(try await api.sendReauthentication(of: session, in: flow))
        }
    }

    /// Takes the code of the flow's message: GoTrue checks it only with the new password, which a relaunched app gives again.
    func finish(_ code: Secret, in flow: FlowMemory) async throws(AuthError) -> SignInStep {
        guard let new = flow.newPassword else {
            flow.code = code
            return .newPassword(NewPasswordStep(flow: flow.flow, reason: .required))
        }
        return try await set(new, with: code, in: flow)
    }

    /// Takes the password again after a relaunch; asks for the code again where that is lost too.
    func finish(with new: Secret, in flow: FlowMemory) async throws(AuthError) -> SignInStep {
        flow.newPassword = new
        guard let code = flow.code else {
            guard let challenge = api.pendingChallenge(in: flow) else {
                throw AuthError(.flowNotFound, "The flow has no message to answer.", remedies: [.startAgain])
            }
            return .verify(challenge)
        }
        do {
            return try await set(new, with: code, in: flow)
        } catch {
            if [.invalidCode, .codeExpired, .codeUsed].contains(error.code) { flow.code = nil }
            throw error
        }
    }

    private func set(_ new: Secret, with code: Secret, in flow: FlowMemory) async throws(AuthError) -> SignInStep {
        guard let session = flow.session else { throw AuthError(.notSignedIn, "No user is signed in.", remedies: [.signIn]) }
        return .complete(
            try await set(["password": .string(new.reveal()), "nonce": .string(code.reveal())], of: session))
    }

    func set(_ body: JSONObject, of session: Session) async throws(AuthError) -> Session {
        var copy = session
        copy.user = try User(goTrue: try await api.call(.put, "/user", body: body, as: session.accessToken).object)
        return copy
    }
}

extension FlowMemory {
    /// The password that waits for a code; it is never stored.
    fileprivate var newPassword: Secret? {
        get { self[unstored: "newPassword"] }
        set { self[unstored: "newPassword"] = newValue }
    }

    /// The code that waits for a password.
    fileprivate var code: Secret? {
        get { self[unstored: "code"] }
        set { self[unstored: "code"] = newValue }
    }
}

extension GoTrueAPI {
    /// Checks that a password belongs to a session's user, by a sign-in whose session is ended at once and never returned.
    ///
    /// A project compares `current_password` only where its settings ask for it (`SECURITY_UPDATE_PASSWORD_REQUIRE_CURRENT_PASSWORD`,
    /// off by default), and accepts any other silently. The sign-in must end before the change: where a user may have one session
    /// only, the newest one counts.
    ///
    /// - Throws: `invalidCredentials`, also for an account without a password; every other error of a sign-in, such as
    ///   `tooManyRequests` and `captchaRequired`: the password is then not proven.
    fileprivate func prove(_ password: Secret, of session: Session) async throws(AuthError) {
        var body: JSONObject = ["password": .string(password.reveal())]
        if let email = session.user.email {
            body["email"] = .string(email)
        } else if let phone = session.user.phone {
            body["phone"] = .string(phone)
        } else {
            throw AuthError(.invalidCredentials, "The account has no address and no number, and so no password to compare with.")
        }
        let proof: Session
        do {
            proof = try self.session(from: try await call(.post, "/token", query: ["grant_type": "password"], body: body))
        } catch  where ["email_not_confirmed", "phone_not_confirmed"].contains(error.provider?.code) {
            // The server says so only when the password is right (reference: section 2.3, `grant_type=password`).
            return
        }
        await leave(proof)
        guard proof.user.id == session.user.id else {
            throw AuthError(.userMismatch, "The password is another user's, who has the address now. Nothing was changed.")
        }
    }
}
