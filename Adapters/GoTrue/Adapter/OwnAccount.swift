public import Lockstep
internal import LockstepHTTP
internal import LockstepPrimitives
internal import LockstepWire

/// The name and the photo, which GoTrue stores in the user's metadata, and the other metadata.
///
/// The server merges members, and removes those that are `null` (`internal/models/user.go`).
struct OwnProfileUpdate: ProfileUpdate {
    let api: GoTrueAPI

    var acceptsPhoto: Bool { true }
    var acceptsMetadata: Bool { true }

    func update(_ changes: ProfileChanges, of session: Session) async throws(AuthError) -> Session {
        var data = changes.metadata ?? [:]
        if let name = changes.displayName { data["display_name"] = name.isEmpty ? .null : .string(name) }
        if let photo = changes.photoURL { data["avatar_url"] = photo.isEmpty ? .null : .string(photo) }
        let response = try await api.call(.put, "/user", body: ["data": .object(data)], as: session.accessToken)
        var copy = session
        copy.user = try User(goTrue: response.object)
        return copy
    }
}

/// A change of the password.
///
/// The session continues, and the user's other sessions end.
struct OwnPasswordChange: PasswordChange {
    let api: GoTrueAPI

    func change(to new: Secret, current: Secret?, of session: Session) async throws(AuthError) -> Session {
        var body: JSONObject = ["password": .string(new.reveal())]
        if let current {
            do {
                try await api.prove(current, of: session)
            } catch  where error.code == .captchaRequired {
                throw AuthError(
                    .captchaRequired,
                    "The project requires a captcha to check a password, but this call cannot send a captcha. Call account.reauthenticate with this change as thenRetry, without the current password.",
                    remedies: [.reauthenticate([.password])], provider: error.provider)
            } catch  where error.code == .invalidCredentials {
                throw error.aboutCurrentPassword
            }
            body["current_password"] = .string(current.reveal())
        }
        return try await set(body, of: session)
    }

    /// Sets a new password.
    ///
    /// If the sign-in is too old for the project, a code is required (`GET /reauthenticate`, then `nonce`).
    func begin(to new: Secret, of session: Session, in flow: FlowMemory) async throws(AuthError) -> AuthStep {
        do {
            return .complete(try await change(to: new, current: nil, of: session))
        } catch  where error.provider?.code == "reauthentication_needed" {
            flow[.requiredUser] = session.user.id
            flow.newPassword = new
            return .verify(try await api.sendReauthentication(of: session, in: flow))
        }
    }

    /// Handles the code of the flow's message.
    ///
    /// GoTrue checks it only together with the new password, so after a relaunch, the app sends the password again.
    func finish(_ code: Secret, in flow: FlowMemory) async throws(AuthError) -> AuthStep {
        guard let new = flow.newPassword else {
            flow.code = code
            return .newPassword(NewPasswordStep(flow: flow.flow, reason: .required))
        }
        return try await set(new, with: code, in: flow)
    }

    /// Handles the password that the user enters again after a relaunch.
    ///
    /// If the code is also lost, a new code is required.
    func finish(with new: Secret, in flow: FlowMemory) async throws(AuthError) -> AuthStep {
        flow.newPassword = new
        guard let code = flow.code else {
            guard let challenge = api.pendingChallenge(in: flow) else {
                throw AuthError(
                    .flowNotFound, "The flow has not sent a message with a code. Start again.", remedies: [.startAgain])
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

    private func set(_ new: Secret, with code: Secret, in flow: FlowMemory) async throws(AuthError) -> AuthStep {
        guard let session = flow.session else { throw AuthError(.notSignedIn, "No user is signed in.", remedies: [.signIn]) }
        let wasSent = flow.sentPassword == new
        flow.sentPassword = new
        do {
            return .complete(
                try await set(["password": .string(new.reveal()), "nonce": .string(code.reveal())], of: session))
        } catch {
            // The server has already set the password, and its response was lost. The code is used up, and the password
            // is the user's.
            if wasSent, Self.refusalsOfSpentCode.contains(error.code),
                try await api.isPassword(new, of: session, captcha: flow.takeCaptcha())
            {
                return .complete(session)
            }
            // If the server itself has rejected a password, it was not set.
            if error.provider?.code != nil { flow.sentPassword = nil }
            throw error
        }
    }

    private static let refusalsOfSpentCode: Set<AuthError.Code> = [.invalidCode, .codeExpired, .codeUsed, .samePassword]

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

    /// The new password that was sent last.
    fileprivate var sentPassword: Secret? {
        get { self[unstored: "sentPassword"] }
        set { self[unstored: "sentPassword"] = newValue }
    }

    /// The code that waits for a password.
    fileprivate var code: Secret? {
        get { self[unstored: "code"] }
        set { self[unstored: "code"] = newValue }
    }
}

extension GoTrueAPI {
    /// Returns whether a password belongs to a session's user, with the same sign-in.
    ///
    /// - Throws: All errors of a sign-in except a wrong password.
    fileprivate func isPassword(
        _ password: Secret, of session: Session, captcha: Secret?
    ) async throws(AuthError) -> Bool {
        do {
            try await prove(password, of: session, captcha: captcha)
            return true
        } catch  where error.code == .invalidCredentials {
            return false
        }
    }

    /// Checks that a password belongs to a session's user, with a sign-in whose session is ended immediately and never
    /// returned.
    ///
    /// A project compares `current_password` only if its settings say so
    /// (`SECURITY_UPDATE_PASSWORD_REQUIRE_CURRENT_PASSWORD`, off by default), and otherwise silently accepts any
    /// password. The session of the sign-in must end before the change: if a user may have only one session, only the
    /// newest one is valid.
    ///
    /// - Throws: `invalidCredentials`, also for an account without a password; every other error of a sign-in, such as
    ///   `tooManyRequests` and `captchaRequired`, after which the password is not verified.
    fileprivate func prove(_ password: Secret, of session: Session, captcha: Secret? = nil) async throws(AuthError) {
        var body: JSONObject = ["password": .string(password.reveal())]
        if let email = session.user.email {
            body["email"] = .string(email)
        } else if let phone = session.user.phone {
            body["phone"] = .string(phone)
        } else {
            throw AuthError(
                .invalidCredentials, "The account has neither an address nor a number, so it does not have a password.")
        }
        let proof: Session
        do {
            proof = try self.session(
                from: try await call(.post, "/token", query: ["grant_type": "password"], body: body, captcha: captcha))
        } catch  where ["email_not_confirmed", "phone_not_confirmed"].contains(error.provider?.code) {
            // The server returns this only if the password is correct (`internal/api/token.go`).
            return
        }
        await leave(proof)
        guard proof.user.id.exact == session.user.id.exact else {
            throw AuthError(.userMismatch, "The password belongs to another user, who now has the address. Nothing was changed.")
        }
    }
}

/// A change of the email address, which takes effect when the user has verified the new address, and the old one if the
/// project requires both.
struct OwnEmailChange: EmailChange {
    let api: GoTrueAPI

    func begin(email: String, of session: Session, in flow: FlowMemory) async throws(AuthError) -> AuthStep {
        try await api.changeEmail(of: session, to: email, in: flow)
    }
}

extension GoTrueAPI {
    /// Starts a change of the email address, even from no address for an anonymous user.
    func changeEmail(of session: Session, to email: String, in flow: FlowMemory) async throws(AuthError) -> AuthStep {
        flow[.formerEmail] = session.user.email
        flow[.requiredUser] = session.user.id
        do {
            let (response, challenge) = try await send(
                .emailChange, to: email, .put, "/user", body: ["email": .string(email)], as: session.accessToken, in: flow)
            let user = try User(goTrue: response.object)
            return user.email?.lowercased() == email.lowercased() ? .complete(outdated(session, user: user)) : .verify(challenge)
        } catch {
            guard session.user.isAnonymous, error.code == .emailAlreadyInUse else { throw error }
            return .identityConflict(
                IdentityConflictStep(
                    flow: flow.flow, currentUserID: session.user.id, signInMethods: [.emailCodeSignIn, .password]))
        }
    }
}

/// The user's identities.
///
/// Removing an identity may change the user's address.
struct OwnIdentities: IdentityLinking {
    let api: GoTrueAPI

    func unlink(_ identity: Identity, from session: Session) async throws(AuthError) -> Session {
        guard identity.id.isUUID else {
            throw AuthError(.invalidInput, "The user does not have this identity. Use an identity from `user.identities`.")
        }
        _ = try await api.call(.delete, "/user/identities/\(given: identity.id)", as: session.accessToken)
        return api.outdated(session, user: try await api.user(as: session.accessToken))
    }
}

/// The account deletion that calls a function on your own server.
///
/// GoTrue allows only administrators to delete users, so an app needs such a function. The adapter sends a `POST` with
/// an empty JSON object. The header `Authorization` contains the user's access token, and the header `apikey` contains
/// the project's key. The function must verify the token, delete the user with the admin API, and respond:
///
/// | response | meaning | | --- | --- | | 204, or 200 with `{"deleted": true}` | the account was deleted | | 401 or 403
/// with `{"code": "reauthentication_needed"}` | the sign-in is too old: the user must sign in again first | | 401 | the
/// function rejects the token: the client refreshes it and calls once more | | anything else | an error in GoTrue's
/// format; the account stays |
///
/// If the adapter cannot reach the function, the error is `network`. If the function does not exist (404), the error is
/// `invalidConfiguration`. If the function fails (5xx), the error is `serverUnavailable`. The message of the error
/// names the function and its URL.
public struct OwnAccountDeletion: AccountDeletion {
    let api: GoTrueAPI
    let url: String

    /// Deletes the account.
    ///
    /// - Parameter session: The session of the user.
    /// - Throws: `reauthenticationRequired`; `invalidResponse` if the response does not come from the function. Other
    ///   errors if the function is unreachable, does not exist, or rejects the token.
    public func delete(_ session: Session) async throws(AuthError) {
        let function = AppFunction(url, setting: "accountDeletion")
        let response = try await function.named { url async throws(AuthError) in
            try await api.wire.callFunction(url, as: session.accessToken)
        }
        // JSON from a gateway does not mean that the account was deleted.
        guard response.status == 204 || (try? response.json())?["deleted"]?.bool == true else {
            throw function.named(FunctionErrors.unexpected(response, #"status 204 or {"deleted": true} was expected"#))
        }
    }
}

/// Reauthentication.
///
/// GoTrue has no call for it, so the user signs in again and the older session ends.
struct RenewedSignIn: Reauthentication {
    let takesLinks: Bool
    let takesCodes: Bool

    func ways(for session: Session) -> [Capability] {
        var ways: [Capability] = []
        // The server does not report whether an address has a password. It can have one only if the address is a
        // separate identity.
        if session.user.identities.contains(where: { $0.provider == .email }) { ways.append(.password) }
        if session.user.email != nil { ways += (takesCodes ? [.emailCodeSignIn] : []) + (takesLinks ? [.emailLinkSignIn] : []) }
        if session.user.phone != nil { ways.append(.phoneCode) }
        if session.user.identities.contains(where: { $0.provider != .email && $0.provider != .phone }) {
            ways += takesLinks ? [.idToken, .oauth] : [.idToken]
        }
        return ways
    }
}
