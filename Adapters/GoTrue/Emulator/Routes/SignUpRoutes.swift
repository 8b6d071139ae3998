internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// The route for sign-ups: with an address or a number, or anonymous.
struct SignUpRoutes {
    let context: RequestContext

    static let body = BodySchema.go(
        "SignupParams",
        ["email": .text, "phone": .text, "password": .text, "data": .object, "channel": .text, "provider": .anything],
        .security, .proof)

    /// Handles `POST /signup`.
    func create() throws -> EmulatorResponse {
        let body = try context.body
        try context.limits.requireCaptcha(body)
        if body[text: "email"].isEmpty, body[text: "phone"].isEmpty { return try createGuest(body.object("data") ?? [:]) }
        try context.limits.admit(.signUp)
        guard !context.settings.signIn.isSignUpDisabled else { throw GoTrueError.signUpDisabled }
        let account = try account(body)
        let traits: JSONObject = ["provider": .string(account.provider)]
        switch try context.signUps.register(account) {
        case .waiting(var user):
            context.userID = user.id
            if user.invitedAt != nil {
                user.userMetadata = [:]
                user.identities = []
            }
            return .go(user.json)
        case .confirmed(var user):
            try context.auditLog.record(.login, user, traits: traits)
            return .go(try context.sessions.open(for: &user, by: .password).json)
        case .known(let user):
            try context.auditLog.record(.repeatedSignUp, user, traits: traits)
            guard !context.settings.mail.confirmsByItself, !context.settings.sms.confirmsByItself else {
                return context.response(to: GoTrueError.userExists)
            }
            context.unsentReason = "the address exists, and the server hides that"
            return .go(context.signUps.disguise(user, account).json)
        }
    }

    private func createGuest(_ data: JSONObject) throws -> EmulatorResponse {
        guard context.settings.signIn.allowsAnonymous else { throw GoTrueError.guestsDisabled }
        try context.limits.admit(.anonymous)
        guard !context.settings.signIn.isSignUpDisabled else { throw GoTrueError.signUpDisabled }
        var user = try context.signUps.registerGuest(data)
        return .go(try context.sessions.open(for: &user, by: .anonymous).json)
    }

    private func account(_ body: Body) throws -> NewAccount {
        let password = body[text: "password"]
        guard !password.isEmpty else { throw GoTrueError.invalid("Signup requires a valid password") }
        try context.passwords.check(password)
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
            email: email, phone: phone, password: password, data: body.object("data") ?? [:], channel: body[text: "channel"],
            proof: try ProofKey(body))
    }
}
