public import Lockstep
public import LockstepPrimitives

extension InMemoryBackend {
    /// All users of the backend.
    public var users: [User] { accounts.values.map(\.user) }

    /// Returns whether a user is disabled.
    ///
    /// - Parameter userID: The user's id.
    public func isDisabled(_ userID: String) -> Bool { accounts[userID]?.isDisabled ?? false }

    /// Creates a user who can sign in with a password.
    ///
    /// ```swift
    /// let userID = await backend.create(email: "ada@example.com", password: "correct horse battery staple")
    /// print(userID)
    /// ```
    ///
    /// - Parameters:
    ///   - email: The email address.
    ///   - isEmailVerified: Whether the email address is verified. Default: `true`.
    ///   - displayName: The display name. Default: none.
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
    public func rename(_ userID: String, to displayName: String) {
        change(userID) { $0.user.displayName = displayName }
    }

    /// Changes whether the email address of a user is verified.
    ///
    /// - Parameters:
    ///   - userID: The user's id.
    public func setEmailVerified(_ isVerified: Bool, of userID: String) {
        change(userID) { $0.user.isEmailVerified = isVerified }
    }

    /// Makes the backend require a captcha from now on.
    ///
    /// ```swift
    /// let token = await backend.demandCaptcha(at: [.signUp, .signIn])
    /// print(token)                                 // the test responds with `.captcha(token)`
    /// ```
    ///
    /// - Parameter kinds: The kinds of requests that require a captcha: sign-ups, password sign-ins, or requests for a
    ///   message. Default: sign-ups, including sign-ups with an ID token.
    /// - Returns: The captcha token that the backend accepts.
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

    /// Sets a user's password, as an administrator would.
    ///
    /// The behavior in the settings decides whether the user's sessions end.
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

    /// Turns off a capability in the project's settings.
    public func switchOff(_ capability: Capability) { switchedOff.insert(capability) }

    /// Opens the link of a message in a browser, outside the app.
    ///
    /// - Throws: `linkInvalid`, `linkUsed`, `linkExpired`.
    public func confirm(link: String) throws(AuthError) {
        _ = try open(Secret(try Callback(link).parameters["token"] ?? ""))
    }

    /// Returns whether the backend currently accepts an access token.
    public func accepts(accessToken: Secret) -> Bool { (try? session(of: accessToken)) != nil }

    /// Returns whether the backend currently accepts a refresh token.
    ///
    /// The call does not use up the token. A token that is already used up ends its session, as declared in
    /// `ProviderBehavior.sessionAfterReplay`.
    public func accepts(refreshToken: Secret) -> Bool {
        if let session = sessions.values.first(where: { $0.spentTokens.contains(refreshToken) }) {
            punishReplay(of: refreshToken, in: session)
        }
        guard let session = sessions.values.first(where: { $0.refreshToken == refreshToken }),
            accounts[session.userID]?.isDisabled == false
        else { return false }
        return !session.isOver || settings.behavior.refreshTokenAfterSignOut == .lives
    }
}
