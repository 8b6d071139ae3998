public import Lockstep
public import LockstepPrimitives

extension InMemoryBackend {
    /// All users.
    public var users: [User] { accounts.values.map(\.user) }

    /// Whether a user is disabled.
    public func isDisabled(_ userID: String) -> Bool { accounts[userID]?.isDisabled ?? false }

    /// Makes a user who can sign in by password.
    ///
    /// - Returns: the user's id.
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

    /// Gives a user another name.
    public func rename(_ userID: String, to displayName: String) {
        change(userID) { $0.user.displayName = displayName }
    }

    /// From now on new users want a captcha, by password and by ID token; or requests of these kinds: password sign-ins, messages of a
    /// sign-in or a reset.
    ///
    /// - Returns: the token that passes for one.
    public func demandCaptcha(at kinds: Set<InMemoryRequestKind> = [.signUp]) -> Secret {
        let token = secret()
        captcha = (token, kinds)
        return token
    }

    /// Disables a user.
    public func disable(_ userID: String) { change(userID) { $0.isDisabled = true } }

    /// Deletes a user.
    public func delete(_ userID: String) { remove(userID) }

    /// Ends every session of a user.
    public func endSessions(of userID: String) { leaveSessions(of: userID, settings.behavior.endedSession) }

    /// Gives a user another password; the settings' behavior decides whether the sessions end.
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

    /// Switches a method off in the project's settings.
    public func switchOff(_ capability: Capability) { switchedOff.insert(capability) }

    /// Opens the link of a message outside the app.
    ///
    /// - Throws: `linkInvalid`, `linkUsed`, `linkExpired`.
    public func confirm(link: String) throws(AuthError) {
        _ = try open(Secret(try Callback(link).parameters["token"] ?? ""))
    }

    /// Whether the backend takes this access token now.
    public func accepts(accessToken: Secret) -> Bool { (try? session(of: accessToken)) != nil }

    /// Whether the backend would give a new access token for this refresh token now; the token is not spent.
    public func accepts(refreshToken: Secret) -> Bool {
        guard let session = sessions.values.first(where: { $0.refreshToken == refreshToken }),
            accounts[session.userID]?.isDisabled == false
        else { return false }
        return !session.isOver || settings.behavior.refreshTokenAfterSignOut == .lives
    }
}
