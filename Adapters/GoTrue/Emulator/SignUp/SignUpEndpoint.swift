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

    func answer(_ turn: inout Turn, _ db: inout SQLiteConnection) throws -> EmulatorResponse {
        let body = try Body(of: turn.request, as: Self.shape)
        try turn.askForCaptcha(body)
        if body[text: "email"].isEmpty, body[text: "phone"].isEmpty { return try signUpGuest(body, &turn, &db) }
        try turn.limit(.signUp)
        guard !turn.settings.signIn.isSignUpDisabled else { throw GoTrueError.signUpDisabled }
        let account = try Self.account(body, &turn)
        switch try turn.signUp(account, &db) {
        case .waiting(var user):
            if user.invitedAt != nil {
                user.userMetadata = [:]
                user.identities = []
            }
            return .go(user.json)
        case .confirmed(var user):
            try turn.audit(.login, user, &db, traits: ["provider": .string(account.provider)])
            var session = try turn.openSession(for: &user, by: .password, &db)
            session.user = user
            return .go(session.json)
        case .known(let user):
            try turn.audit(.repeatedSignUp, user, &db, traits: ["provider": .string(account.provider)])
            guard !turn.settings.mail.confirmsByItself, !turn.settings.sms.confirmsByItself else {
                return turn.refusal(.unprocessable(.userAlreadyExists, "User already registered"))
            }
            return .go(Self.disguise(user, account, &turn).json)
        }
    }

    private static func account(_ body: Body, _ turn: inout Turn) throws -> NewAccount {
        let password = body[text: "password"]
        guard !password.isEmpty else { throw GoTrueError.invalid("Signup requires a valid password") }
        try PasswordRules(settings: turn.settings.passwords).check(password)
        let email = body[text: "email"]
        let phone = body[text: "phone"]
        guard email.isEmpty || phone.isEmpty else {
            throw GoTrueError.invalid("Only an email address or phone number should be provided on signup.")
        }
        if !phone.isEmpty { try turn.checkChannel(body[text: "channel"]) }
        if !phone.isEmpty, !body[text: "code_challenge"].isEmpty {
            throw GoTrueError.invalid("PKCE not supported for phone signups")
        }
        return NewAccount(
            email: email, phone: phone, password: password, data: body[object: "data"] ?? [:], channel: body[text: "channel"],
            proof: try ProofKey(body))
    }

    /// A made-up user: the caller must not learn that the address is known.
    private static func disguise(_ user: User, _ account: NewAccount, _ turn: inout Turn) -> User {
        var user = user
        user.id = turn.uuid()
        user.role = ""
        user.emailChange = ""
        user.createdAt = turn.now
        user.updatedAt = turn.now
        user.confirmation.sentAt = turn.now
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

    private func signUpGuest(_ body: Body, _ turn: inout Turn, _ db: inout SQLiteConnection) throws -> EmulatorResponse {
        guard turn.settings.signIn.allowsAnonymous else {
            throw GoTrueError.unprocessable(.anonymousProviderDisabled, "Anonymous sign-ins are disabled")
        }
        try turn.limit(.anonymous)
        guard !turn.settings.signIn.isSignUpDisabled else { throw GoTrueError.signUpDisabled }
        var user = User(id: turn.uuid(), audience: turn.audience, role: turn.settings.tokens.role, at: turn.now)
        user.isAnonymous = true
        user.mergeUserMetadata(body[object: "data"] ?? [:])
        try turn.askBeforeCreating(user)
        try turn.create(user, &db)
        var session = try turn.openSession(for: &user, by: .anonymous, &db)
        session.user = user
        return .go(session.json)
    }
}
