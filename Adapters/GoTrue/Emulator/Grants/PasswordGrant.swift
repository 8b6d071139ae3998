internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// Answers `grant_type=password`.
struct PasswordGrant: Endpoint {
    static let shape = BodyShape(
        "PasswordGrantParams", [("email", .text), ("phone", .text), ("password", .text), BodyShape.security])

    func answer(_ turn: inout Turn, _ db: inout SQLiteConnection) throws -> EmulatorResponse {
        let body = try Body(of: turn.request, as: Self.shape)
        try turn.askForCaptcha(body)
        let isByPhone = body[text: "email"].isEmpty
        guard let found = try find(body, turn, &db), let hash = found.passwordHash else {
            try turn.spendPassword()
            throw GoTrueError.wrongCredentials
        }
        var user = found
        if user.isBanned(at: turn.now) { throw GoTrueError.bad(.userBanned, "User is banned") }
        let password = body[text: "password"]
        let isRight = try turn.isRight(password, for: hash)
        if let refusal = try turn.askAboutPassword(of: user, isRight: isRight) {
            if refusal.endsSessions { try db.endSessions(of: user.id) }
            return turn.refusal(.bad(.invalidCredentials, refusal.message))
        }
        guard isRight else { throw GoTrueError.wrongCredentials }
        if !isByPhone, !user.isEmailConfirmed { throw GoTrueError.bad(.emailNotConfirmed, "Email not confirmed") }
        if isByPhone, !user.isPhoneConfirmed { throw GoTrueError.bad(.phoneNotConfirmed, "Phone not confirmed") }
        try turn.audit(.login, user, &db, traits: ["provider": isByPhone ? "phone" : "email"])
        var session = try turn.openSession(for: &user, by: .password, &db)
        session.user = user
        var json = session.json
        let weakness = PasswordRules(settings: turn.settings.passwords).weakness(of: password)
        json["weak_password"] =
            weakness.map { ["message": .string($0.message), "reasons": .array($0.reasons.map(JSON.string))] } ?? .null
        return .go(json)
    }

    private func find(_ body: Body, _ turn: Turn, _ db: inout SQLiteConnection) throws -> User? {
        let email = body[text: "email"]
        let phone = body[text: "phone"]
        guard email.isEmpty || phone.isEmpty else {
            throw GoTrueError.invalid("Only an email address or phone number should be provided on login.")
        }
        if !email.isEmpty {
            guard turn.settings.signIn.allowsEmail else {
                throw GoTrueError.unprocessable(.emailProviderDisabled, "Email logins are disabled")
            }
            return try db.user(email: email, audience: turn.audience)
        }
        guard !phone.isEmpty else { throw GoTrueError.invalid("missing email or phone") }
        guard turn.settings.signIn.allowsPhone else {
            throw GoTrueError.unprocessable(.phoneProviderDisabled, "Phone logins are disabled")
        }
        return try db.user(phone: Address.digits(phone), audience: turn.audience)
    }
}
