internal import LockstepEmulation
internal import LockstepPrimitives

/// Sign-ins, one file a way.
struct SignInRoutes {
    let context: RequestContext

    static let passwordBody: BodySchema = [
        "captchaChallenge": .text, "captchaResponse": .text, "clientType": .clientType, "delegatedProjectNumber": .text,
        "email": .text, "idToken": .text, "instanceId": .text, "password": .text, "pendingIdToken": .text,
        "recaptchaVersion": .recaptchaVersion, "returnSecureToken": .flag, "tenantId": .text,
    ]

    /// Firebase's `accounts:signInWithPassword`.
    func withPassword() throws -> JSON {
        let body = context.body
        try context.require(context.rules.methods.contains(.password), .passwordLoginDisabled)
        try context.requireCaptcha()
        let email = Formats.canonical(try context.require(body.text("email"), .missingEmail))
        try context.require(Formats.isEmail(email), .invalidEmail)
        let password = try context.require(body.given("password"), .missingPassword)
        if body.given("captchaResponse") != nil || body.given("captchaChallenge") != nil, !context.isStrict {
            throw APIError.notImplemented("captcha unimplemented")
        }
        if body.given("idToken") != nil || body.given("pendingIdToken") != nil {
            throw APIError.notImplemented(
                "idToken / pendingIdToken is no longer in use and unsupported by the Auth Emulator.")
        }
        var user: User
        do { user = try candidate(email) } catch let refusal as APIError {
            try context.passwords.spend(password)
            throw refusal
        }
        guard let stored = user.password, try context.passwords.matches(password, stored) else {
            try context.users.countFailure(of: user)
            throw wrong(.invalidPassword).keepingChanges
        }
        // At the first sign-in with the password, production replaces an imported hash with its own form.
        let renewed = try context.isStrict && stored.scheme != nil ? context.passwords.hash(password) : nil
        let notices = try notices(of: password)
        try context.users.forgetFailures(of: user)
        if let renewed {
            user.password = renewed
            try context.users.update(user, identitiesChanged: false)
        }
        var response: JSONObject = [
            "kind": "identitytoolkit#VerifyPasswordResponse", "registered": true, "localId": .string(user.localID),
            "email": .string(email),
        ]
        if context.isStrict { response["displayName"] = .string(user.displayName ?? "") }
        response["userNotifications"] = notices
        if context.factors.isAsked(of: user) {
            return .object(response.adding(try context.factors.pending(user, provider: ProviderID.password)))
        }
        let claims = try context.functions.beforeSignIn(&user, .init(method: ProviderID.password), isNew: false)
        user.lastLoginAt = context.now.milliseconds
        let tokens = try context.tokens.issue(to: &user, Grant(provider: ProviderID.password, claims: claims))
        try context.users.touch(user)
        return .object(response.adding(tokens))
    }

    /// Returns the account of the address; rejects a disabled or locked account, or one without a password.
    private func candidate(_ email: String) throws -> User {
        guard let user = try context.users.find(email: email) else { throw wrong(.emailNotFound) }
        try context.require(user.isDisabled != true, .userDisabled)
        if let until = try context.users.lock(of: user), until > context.now {
            throw APIError.refused(
                .tooManyAttempts,
                "Access to this account has been temporarily disabled due to many failed login attempts. "
                    + "You can immediately restore it by resetting your password or you can try again later.")
        }
        guard user.password != nil else { throw wrong(.invalidPassword) }
        return user
    }

    /// With enumeration protection, every failure gets the same error.
    private func wrong(_ code: ErrorCode) -> APIError {
        .refused(context.rules.hidesEmails ? .invalidLogin : code)
    }

    /// Returns the unmet requirements of the policy: an error if the policy is enforced at sign-in, otherwise a notice.
    private func notices(of password: String) throws -> JSON? {
        let policy = context.rules.passwordPolicy
        let shortfalls = policy.isEnforced ? policy.shortfalls(of: password) : []
        guard !shortfalls.isEmpty else { return nil }
        if policy.isEnforcedAtSignIn { try context.passwords.requireStrength(password) }
        return .array(
            shortfalls.map { ["notificationCode": .string($0.code), "notificationMessage": .string($0.sentence)] })
    }
}
