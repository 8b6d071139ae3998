public import Lockstep
public import LockstepPrimitives

extension InMemoryBackend {
    /// All users.
    public var users: [User] { accounts.values.map(\.user) }

    /// Returns whether a user is disabled.
    ///
    /// - Parameter userID: The user's id.
    /// - Returns: Whether the user is disabled.
    public func isDisabled(_ userID: String) -> Bool { accounts[userID]?.isDisabled ?? false }

    /// Creates a user who can sign in with a password.
    ///
    /// - Parameters:
    ///   - email: The email address.
    ///   - password: The password.
    ///   - isEmailVerified: Whether the email address is verified. Default: `true`.
    ///   - displayName: The display name.
    /// - Returns: The user's id.
    @discardableResult
    public func create(email: String, password: Secret, isEmailVerified: Bool = true, displayName: String? = nil) -> String {
        let id = "u-" + randomness.text(12)
        let address = email.lowercased()
        accounts[id] = InMemoryAccountRecord(
            user: User(
                id: id, email: address, isEmailVerified: isEmailVerified, displayName: displayName,
                identities: [Identity(id: "email:\(address)", provider: .email, email: address)], createdAt: clock.now),
            password: password)
        return id
    }

    /// Renames a user.
    ///
    /// - Parameters:
    ///   - userID: The user's id.
    ///   - displayName: The display name.
    public func rename(_ userID: String, to displayName: String) {
        change(userID) { $0.user.displayName = displayName }
    }

    /// Requires a captcha from now on: for new users, with password and ID token, or for the given kinds of requests.
    ///
    /// - Parameter kinds: The kinds of requests: sign-ups, password sign-ins, messages of a sign-in or a reset. Default:
    ///   sign-ups.
    /// - Returns: The token that the backend accepts.
    public func demandCaptcha(at kinds: Set<InMemoryRequestKind> = [.signUp]) -> Secret {
        let token = secret()
        captcha = (token, kinds)
        return token
    }

    /// Disables a user.
    ///
    /// - Parameter userID: The user's id.
    public func disable(_ userID: String) { change(userID) { $0.isDisabled = true } }

    /// Deletes a user.
    ///
    /// - Parameter userID: The user's id.
    public func delete(_ userID: String) { remove(userID) }

    /// Ends every session of a user.
    ///
    /// - Parameter userID: The user's id.
    public func endSessions(of userID: String) { leaveSessions(of: userID, settings.behavior.endedSession) }

    /// Sets a user's password.
    ///
    /// The settings' behavior determines whether the sessions end.
    ///
    /// - Parameters:
    ///   - password: The password.
    ///   - userID: The user's id.
    public func setPassword(_ password: Secret, of userID: String) {
        change(userID) { $0.password = password }
        leaveSessions(of: userID, settings.behavior.sessionAfterNewPassword)
    }

    func leaveSessions(of userID: String, _ ending: ProviderBehavior.NextRefresh, except kept: String? = nil) {
        guard ending != .goesOn else { return }
        for session in sessions.values where session.userID == userID && session.id != kept {
            sessions[session.id]?.ending = ending
        }
    }

    /// Disables a capability in the project's settings.
    ///
    /// - Parameter capability: The capability.
    public func switchOff(_ capability: Capability) { switchedOff.insert(capability) }

    /// Opens the link of a message outside the app.
    ///
    /// - Parameter link: The link.
    /// - Throws: `linkInvalid`, `linkUsed`, `linkExpired`.
    public func confirm(link: String) throws(AuthError) {
        _ = try open(Secret(try Callback(link).parameters["token"] ?? ""))
    }

    /// Returns whether the backend accepts an access token now.
    ///
    /// - Parameter accessToken: The access token.
    /// - Returns: Whether it is accepted.
    public func accepts(accessToken: Secret) -> Bool { (try? session(of: accessToken)) != nil }

    /// Returns whether the backend accepts a refresh token now.
    ///
    /// The token is not used up.
    ///
    /// - Parameter refreshToken: The refresh token.
    /// - Returns: Whether it is accepted.
    public func accepts(refreshToken: Secret) -> Bool {
        guard let session = sessions.values.first(where: { $0.refreshToken == refreshToken }),
            accounts[session.userID]?.isDisabled == false
        else { return false }
        return !session.isOver || settings.behavior.refreshTokenAfterSignOut == .lives
    }
}
