internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// Answers `POST /signup`.
struct SignUpEndpoint: Endpoint {
    static let shape = BodyShape(
        "SignupParams",
        [
            ("email", .text), ("phone", .text), ("password", .text), ("data", .object), ("channel", .text), ("provider", .raw),
            BodyShape.security,
        ] + BodyShape.proof)

    func answer(_ context: RequestContext) throws -> EmulatorResponse {
        let body = try Body(of: context.request, as: Self.shape)
        try context.limits.requireCaptcha(body)
        if body[text: "email"].isEmpty, body[text: "phone"].isEmpty { return try signUpGuest(body, context) }
        try context.limits.admit(.signUp)
        guard !context.settings.signIn.isSignUpDisabled else { throw GoTrueError.signUpDisabled }
        let account = try Self.account(body, context)
        switch try context.signUps.register(account) {
        case .waiting(var user):
            if user.invitedAt != nil {
                user.userMetadata = [:]
                user.identities = []
            }
            return .go(user.json)
        case .confirmed(var user):
            try context.auditLog.record(.login, user, traits: ["provider": .string(account.provider)])
            var session = try context.sessions.open(for: &user, by: .password)
            session.user = user
            return .go(session.json)
        case .known(let user):
            try context.auditLog.record(.repeatedSignUp, user, traits: ["provider": .string(account.provider)])
            guard !context.settings.mail.confirmsByItself, !context.settings.sms.confirmsByItself else {
                return context.response(to: GoTrueError.unprocessable(.userAlreadyExists, "User already registered"))
            }
            return .go(Self.disguise(user, account, context).json)
        }
    }

    private static func account(_ body: Body, _ context: RequestContext) throws -> NewAccount {
        let password = body[text: "password"]
        guard !password.isEmpty else { throw GoTrueError.invalid("Signup requires a valid password") }
        try PasswordRules(settings: context.settings.passwords).check(password)
        let email = body[text: "email"]
        let phone = body[text: "phone"]
        guard email.isEmpty || phone.isEmpty else {
            throw GoTrueError.invalid("Only an email address or phone number should be provided on signup.")
        }
        if !phone.isEmpty { try context.textMessages.checkChannel(body[text: "channel"]) }
        if !phone.isEmpty, !body[text: "code_challenge"].isEmpty {
            throw GoTrueError.invalid("PKCE not supported for phone signups")
        }
        return NewAccount(
            email: email, phone: phone, password: password, data: body[object: "data"] ?? [:], channel: body[text: "channel"],
            proof: try ProofKey(body))
    }

    /// A made-up user: the caller must not learn that the address is known.
    private static func disguise(_ user: User, _ account: NewAccount, _ context: RequestContext) -> User {
        var user = user
        user.id = context.uuid()
        user.role = ""
        user.emailChange = ""
        user.createdAt = context.now
        user.updatedAt = context.now
        user.confirmation.sentAt = context.now
        user.lastSignInAt = nil
        user.confirmedAt = nil
        user.emailChangeSentAt = nil
        user.emailConfirmedAt = nil
        user.phoneConfirmedAt = nil
        user.identities = []
        user.userMetadata = account.data
        user.appMetadata = ["provider": .string(account.provider), "providers": [.string(account.provider)]]
        if account.phone.isEmpty { user.phone = "" } else { user.email = "" }
        return user
    }

    private func signUpGuest(_ body: Body, _ context: RequestContext) throws -> EmulatorResponse {
        guard context.settings.signIn.allowsAnonymous else {
            throw GoTrueError.unprocessable(.anonymousProviderDisabled, "Anonymous sign-ins are disabled")
        }
        try context.limits.admit(.anonymous)
        guard !context.settings.signIn.isSignUpDisabled else { throw GoTrueError.signUpDisabled }
        var user = User(id: context.uuid(), audience: context.audience, role: context.settings.tokens.role, at: context.now)
        user.isAnonymous = true
        user.mergeUserMetadata(body[object: "data"] ?? [:])
        try context.hooks.askBeforeCreating(user)
        try context.accounts.create(user)
        var session = try context.sessions.open(for: &user, by: .anonymous)
        session.user = user
        return .go(session.json)
    }
}
