internal import LockstepPrimitives
internal import LockstepSQLite

/// Firebase's `accounts:signInWithPassword`.
struct SignInWithPassword: Operation {
    let shape = Shape.signInWithPassword
    let effort = Effort.hashing

    func answer(_ call: Call) throws -> JSON {
        let body = call.body
        try call.requireOpen()
        try call.require(call.rules.methods.contains(.password), .passwordLoginDisabled)
        let email = Formats.canonical(try call.require(body.text("email"), .missingEmail))
        try call.require(Formats.isEmail(email), .invalidEmail)
        let password = try call.require(body.given("password"), .missingPassword)
        if body.given("captchaResponse") != nil || body.given("captchaChallenge") != nil, call.settings.mode == .emulator {
            throw APIError.notImplemented("captcha unimplemented")
        }
        if body.given("idToken") != nil || body.given("pendingIdToken") != nil {
            throw APIError.notImplemented(
                "idToken / pendingIdToken is no longer in use and unsupported by the Auth Emulator.")
        }
        let found: User
        do { found = try call.reading { db in try candidate(email, call, &db) } } catch {
            call.backend.passwords.spend(password)
            throw error
        }
        guard let stored = found.password, call.backend.passwords.verify(password, stored) else {
            try call.transaction { db in
                try db.countFailure(of: found, limits: call.settings.limits, at: call.now, in: call.space)
            }
            throw wrong(.invalidPassword, call)
        }
        // Production replaces an imported hash by its own form at the first sign-in with the password.
        let renewed = try call.settings.mode == .strict && stored.scheme != nil ? call.hashed(password) : nil
        let notices = try notices(of: password, call)
        return try call.transaction { db in
            // The account may have changed while the hash was made.
            var user = try candidate(email, call, &db)
            guard user.localID == found.localID, user.password == stored else { throw wrong(.invalidPassword, call) }
            try db.forgetFailures(of: user, in: call.space)
            if let renewed {
                user.password = renewed
                try db.update(user, identitiesChanged: false, in: call.space)
            }
            var answer: JSONObject = [
                "kind": "identitytoolkit#VerifyPasswordResponse", "registered": true, "localId": .string(user.localID),
                "email": .string(email),
            ]
            if call.settings.mode == .strict { answer["displayName"] = .string(user.displayName ?? "") }
            answer["userNotifications"] = notices
            if call.asksForFactor(user) {
                return .object(answer.adding(try call.pending(user, provider: ProviderID.password, &db)))
            }
            user.lastLoginAt = call.now.milliseconds
            let tokens = try call.issue(to: &user, Grant(provider: ProviderID.password), &db)
            try db.touch(user, in: call.space)
            return .object(answer.adding(tokens))
        }
    }

    /// The account of the address; refuses one that is disabled, locked or without a password.
    private func candidate(_ email: String, _ call: Call, _ db: inout SQLiteConnection) throws -> User {
        guard let user = try db.user(email: email, in: call.space) else { throw wrong(.emailNotFound, call) }
        try call.require(user.isDisabled != true, .userDisabled)
        if let until = try db.lock(of: user, in: call.space), until > call.now {
            throw APIError.refused(
                .tooManyAttempts,
                "Access to this account has been temporarily disabled due to many failed login attempts. "
                    + "You can immediately restore it by resetting your password or you can try again later.")
        }
        guard user.password != nil else { throw wrong(.invalidPassword, call) }
        return user
    }

    /// With protection against enumeration every failure gets the same error.
    private func wrong(_ code: ErrorCode, _ call: Call) -> APIError {
        .refused(call.rules.hidesEmails ? .invalidLogin : code)
    }

    /// The unmet requirements of the policy: a refusal where sign-in enforces it, otherwise a notice.
    private func notices(of password: String, _ call: Call) throws -> JSON? {
        let policy = call.rules.passwordPolicy
        let shortfalls = policy.isEnforced ? policy.shortfalls(of: password) : []
        guard !shortfalls.isEmpty else { return nil }
        if policy.isEnforcedAtSignIn { try call.requireStrength(password) }
        return .array(
            shortfalls.map { ["notificationCode": .string($0.code), "notificationMessage": .string($0.sentence)] })
    }
}
