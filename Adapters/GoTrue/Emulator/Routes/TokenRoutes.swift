internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// The route for tokens: one path, where `grant_type` in the query selects the grant.
///
/// Each grant has its own body, so the route declares none.
struct TokenRoutes {
    let context: RequestContext

    /// Handles `POST /token`.
    func create() throws -> EmulatorResponse {
        let isForm = context.request.mediaType == "application/x-www-form-urlencoded"
        let grant = context.request.query["grant_type"] ?? (isForm ? context.request.form()["grant_type"] : nil)
        switch grant {
        case "password": return try exchange(Self.passwordBody, password)
        case "refresh_token": return try exchange(Self.refreshBody, refresh)
        case "pkce": return try exchange(Self.proofBody, proof)
        case "id_token": return try exchange(Self.idTokenBody, idToken)
        case "web3":
            try requireCaptcha()
            try context.limits.admit(.web3)
            throw GoTrueError.web3Disabled
        default:
            try requireCaptcha()
            throw GoTrueError.unknownGrant
        }
    }

    private func exchange(_ schema: BodySchema, _ answer: (Body) throws -> EmulatorResponse) throws -> EmulatorResponse {
        try context.limits.admit(.token)
        return try answer(context.body(as: schema))
    }

    /// Unsupported grants also require the captcha.
    private func requireCaptcha() throws {
        guard context.settings.asksForCaptcha else { return }
        try context.limits.requireCaptcha(context.body(as: .go("GotrueRequest", .security)))
    }

    private static let passwordBody = BodySchema.go(
        "PasswordGrantParams", ["email": .text, "phone": .text, "password": .text], .security)

    /// Handles `grant_type=password`.
    private func password(_ body: Body) throws -> EmulatorResponse {
        try context.limits.requireCaptcha(body)
        let isByPhone = body[text: "email"].isEmpty
        guard let found = try find(body), let hash = found.passwordHash else {
            try context.passwords.spend()
            throw GoTrueError.wrongCredentials
        }
        var user = found
        if user.isBanned(at: context.now) { throw GoTrueError.bannedAtSignIn }
        let password = body[text: "password"]
        let isRight = try context.passwords.matches(password, for: hash)
        if let refusal = try context.hooks.askAboutPassword(of: user, isRight: isRight) {
            if refusal.endsSessions { try context.db.endSessions(of: user.id) }
            return context.response(to: GoTrueError.passwordRejected(refusal.message))
        }
        guard isRight else { throw GoTrueError.wrongCredentials }
        if !isByPhone, !user.isEmailConfirmed { throw GoTrueError.emailUnconfirmed }
        if isByPhone, !user.isPhoneConfirmed { throw GoTrueError.phoneUnconfirmed }
        try context.auditLog.record(.login, user, traits: ["provider": isByPhone ? "phone" : "email"])
        var json = try context.sessions.open(for: &user, by: .password).json
        let weakness = context.passwords.weakness(of: password)
        json["weak_password"] =
            weakness.map { ["message": .string($0.message), "reasons": .array($0.reasons.map(JSON.string))] } ?? .null
        return .go(json)
    }

    private func find(_ body: Body) throws -> User? {
        let email = body[text: "email"]
        let phone = body[text: "phone"]
        guard email.isEmpty || phone.isEmpty else {
            throw GoTrueError.invalid("Only an email address or phone number should be provided on login.")
        }
        if !email.isEmpty {
            guard context.settings.signIn.allowsEmail else { throw GoTrueError.emailSignInDisabled }
            return try context.db.user(email: email, audience: context.audience)
        }
        guard !phone.isEmpty else { throw GoTrueError.invalid("missing email or phone") }
        guard context.settings.signIn.allowsPhone else { throw GoTrueError.phoneSignInDisabled }
        return try context.db.user(phone: Address.digits(phone), audience: context.audience)
    }

    private static let refreshBody = BodySchema.go("RefreshTokenGrantParams", ["refresh_token": .text])

    /// Handles `grant_type=refresh_token`.
    private func refresh(_ body: Body) throws -> EmulatorResponse {
        .go(try context.refreshes.refresh(body[text: "refresh_token"]).json)
    }

    private static let proofBody = BodySchema.go("PKCEGrantParams", ["auth_code": .text, "code_verifier": .text])

    /// Handles `grant_type=pkce`: exchanges a code with its verifier.
    private func proof(_ body: Body) throws -> EmulatorResponse {
        let code = body[text: "auth_code"]
        let verifier = body[text: "code_verifier"]
        guard !code.isEmpty, !verifier.isEmpty else {
            throw GoTrueError.invalid("invalid request: both auth code and code verifier should be non-empty")
        }
        guard let flow = try context.db.find(FlowState.self, "auth_code = \(code)"), let id = flow.userID,
            var user = try context.db.user(id: id)
        else {
            throw GoTrueError.flowNotFound
        }
        guard !flow.isExpired(at: context.now, life: context.settings.flowLife) else { throw GoTrueError.flowExpired }
        guard flow.isProven(by: verifier) else { throw GoTrueError.wrongVerifier }
        try context.auditLog.record(.login, user, traits: ["provider_type": .string(flow.provider)])
        var session = try context.sessions.open(for: &user, by: flow.method)
        session.providerToken = flow.providerToken
        session.providerRefreshToken = flow.providerRefreshToken
        try context.db.delete(FlowState.self, "id = \(flow.id)")
        return .go(session.json)
    }

    private static let idTokenBody = BodySchema.go(
        "IdTokenGrantParams",
        [
            "id_token": .text, "access_token": .text, "nonce": .text, "provider": .text, "client_id": .text, "issuer": .text,
            "link_identity": .flag,
        ])

    /// Handles `grant_type=id_token`: signs in with a token that a provider signed.
    private func idToken(_ body: Body) throws -> EmulatorResponse {
        let token = body[text: "id_token"]
        guard !token.isEmpty else { throw GoTrueError.oauth("invalid request", "id_token required") }
        guard !body[text: "provider"].isEmpty || !(body[text: "client_id"].isEmpty || body[text: "issuer"].isEmpty) else {
            throw GoTrueError.oauth("invalid request", "provider or client_id and issuer required")
        }
        var owner: User?
        if body.flag("link_identity") == true {
            guard context.authenticator.token != nil else {
                throw GoTrueError.oauth("invalid request", "Linking requires a valid user access token in Authorization")
            }
            owner = try context.authenticator.requireUser()
        }
        let source = try IDTokenSource(
            provider: body[text: "provider"], issuer: body[text: "issuer"], client: body[text: "client_id"], token: token,
            context.settings)
        let person = try context.providerClient.person(
            ofIDToken: token, source, accessToken: body[text: "access_token"], nonce: body[text: "nonce"])
        let outcome =
            if let owner {
                try context.providerSignIn.link(person, at: source.provider, to: owner)
            } else {
                try context.providerSignIn.account(of: person, at: source.provider, allowsNoEmail: source.allowsNoEmail)
            }
        switch outcome {
        case .refused(let error): return context.response(to: error)
        case .signedIn(var user): return .go(try context.sessions.open(for: &user, by: .oauth).json)
        }
    }
}
