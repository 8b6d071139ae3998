internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// Firebase's `accounts:signInWithPassword`.
struct SignInWithPassword: Endpoint {
    let shape = Shape.signInWithPassword

    func answer(_ request: AuthorizedRequest) throws -> JSON {
        let body = request.body
        try request.requireOpen()
        try request.require(request.rules.methods.contains(.password), .passwordLoginDisabled)
        try request.requireCaptcha()
        let email = Formats.canonical(try request.require(body.text("email"), .missingEmail))
        try request.require(Formats.isEmail(email), .invalidEmail)
        let password = try request.require(body.given("password"), .missingPassword)
        if body.given("captchaResponse") != nil || body.given("captchaChallenge") != nil, request.settings.mode == .emulator {
            throw APIError.notImplemented("captcha unimplemented")
        }
        if body.given("idToken") != nil || body.given("pendingIdToken") != nil {
            throw APIError.notImplemented(
                "idToken / pendingIdToken is no longer in use and unsupported by the Auth Emulator.")
        }
        var user: User
        do { user = try candidate(email, request) } catch let refusal as APIError {
            try request.passwords.spend(password)
            throw refusal
        }
        guard let stored = user.password, try request.passwords.matches(password, stored) else {
            try request.db.countFailure(of: user, limits: request.settings.limits, at: request.now, in: request.scope)
            throw wrong(.invalidPassword, request).keepingChanges
        }
        // Production replaces an imported hash by its own form at the first sign-in with the password.
        let renewed = try request.settings.mode == .strict && stored.scheme != nil ? request.passwords.hash(password) : nil
        let notices = try notices(of: password, request)
        try request.db.forgetFailures(of: user, in: request.scope)
        if let renewed {
            user.password = renewed
            try request.db.update(user, identitiesChanged: false, in: request.scope)
        }
        var response: JSONObject = [
            "kind": "identitytoolkit#VerifyPasswordResponse", "registered": true, "localId": .string(user.localID),
            "email": .string(email),
        ]
        if request.settings.mode == .strict { response["displayName"] = .string(user.displayName ?? "") }
        response["userNotifications"] = notices
        if request.factors.isAsked(of: user) {
            return .object(response.adding(try request.factors.pending(user, provider: ProviderID.password)))
        }
        let claims = try request.functions.beforeSignIn(&user, .init(method: ProviderID.password), isNew: false)
        user.lastLoginAt = request.now.milliseconds
        let tokens = try request.tokens.issue(to: &user, Grant(provider: ProviderID.password, claims: claims))
        try request.db.touch(user, in: request.scope)
        return .object(response.adding(tokens))
    }

    /// The account of the address; refuses one that is disabled, locked or without a password.
    private func candidate(_ email: String, _ request: AuthorizedRequest) throws -> User {
        guard let user = try request.db.user(email: email, in: request.scope) else { throw wrong(.emailNotFound, request) }
        try request.require(user.isDisabled != true, .userDisabled)
        if let until = try request.db.lock(of: user, in: request.scope), until > request.now {
            throw APIError.refused(
                .tooManyAttempts,
                "Access to this account has been temporarily disabled due to many failed login attempts. "
                    + "You can immediately restore it by resetting your password or you can try again later.")
        }
        guard user.password != nil else { throw wrong(.invalidPassword, request) }
        return user
    }

    /// With protection against enumeration every failure gets the same error.
    private func wrong(_ code: ErrorCode, _ request: AuthorizedRequest) -> APIError {
        .refused(request.rules.hidesEmails ? .invalidLogin : code)
    }

    /// The unmet requirements of the policy: a refusal where sign-in enforces it, otherwise a notice.
    private func notices(of password: String, _ request: AuthorizedRequest) throws -> JSON? {
        let policy = request.rules.passwordPolicy
        let shortfalls = policy.isEnforced ? policy.shortfalls(of: password) : []
        guard !shortfalls.isEmpty else { return nil }
        if policy.isEnforcedAtSignIn { try request.passwords.requireStrength(password) }
        return .array(
            shortfalls.map { ["notificationCode": .string($0.code), "notificationMessage": .string($0.sentence)] })
    }
}
