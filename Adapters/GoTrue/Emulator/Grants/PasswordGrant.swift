internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// Answers `grant_type=password`.
struct PasswordGrant: FormerEndpoint {
    static let shape = BodySchema.go("PasswordGrantParams", ["email": .text, "phone": .text, "password": .text], .security)

    func answer(_ context: RequestContext) throws -> EmulatorResponse {
        let body = try Body(of: context.request, as: Self.shape)
        try context.limits.requireCaptcha(body)
        let isByPhone = body[text: "email"].isEmpty
        guard let found = try find(body, context), let hash = found.passwordHash else {
            try context.passwords.spend()
            throw GoTrueError.wrongCredentials
        }
        var user = found
        if user.isBanned(at: context.now) { throw GoTrueError.bad(.userBanned, "User is banned") }
        let password = body[text: "password"]
        let isRight = try context.passwords.matches(password, for: hash)
        if let refusal = try context.hooks.askAboutPassword(of: user, isRight: isRight) {
            if refusal.endsSessions { try context.db.endSessions(of: user.id) }
            return context.response(to: GoTrueError.bad(.invalidCredentials, refusal.message))
        }
        guard isRight else { throw GoTrueError.wrongCredentials }
        if !isByPhone, !user.isEmailConfirmed { throw GoTrueError.bad(.emailNotConfirmed, "Email not confirmed") }
        if isByPhone, !user.isPhoneConfirmed { throw GoTrueError.bad(.phoneNotConfirmed, "Phone not confirmed") }
        try context.auditLog.record(.login, user, traits: ["provider": isByPhone ? "phone" : "email"])
        let session = try context.sessions.open(for: &user, by: .password)
        var json = session.json
        let weakness = context.passwords.weakness(of: password)
        json["weak_password"] =
            weakness.map { ["message": .string($0.message), "reasons": .array($0.reasons.map(JSON.string))] } ?? .null
        return .go(json)
    }

    private func find(_ body: Body, _ context: RequestContext) throws -> User? {
        let email = body[text: "email"]
        let phone = body[text: "phone"]
        guard email.isEmpty || phone.isEmpty else {
            throw GoTrueError.invalid("Only an email address or phone number should be provided on login.")
        }
        if !email.isEmpty {
            guard context.settings.signIn.allowsEmail else {
                throw GoTrueError.unprocessable(.emailProviderDisabled, "Email logins are disabled")
            }
            return try context.db.user(email: email, audience: context.audience)
        }
        guard !phone.isEmpty else { throw GoTrueError.invalid("missing email or phone") }
        guard context.settings.signIn.allowsPhone else {
            throw GoTrueError.unprocessable(.phoneProviderDisabled, "Phone logins are disabled")
        }
        return try context.db.user(phone: Address.digits(phone), audience: context.audience)
    }
}
