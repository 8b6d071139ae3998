internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// Answers `POST /magiclink`.
struct MagicLinkEndpoint: FormerEndpoint {
    static let shape = BodySchema.go("MagicLinkParams", ["email": .text, "data": .object], .security, .proof)

    func answer(_ context: RequestContext) throws -> EmulatorResponse {
        try context.limits.admit(.magicLink)
        if context.settings.asksForCaptcha { try context.limits.requireCaptcha(try Body(of: context.request, as: Self.shape)) }
        try MagicLink.checkSettings(context)
        // Only this endpoint reads a stream, whose error for an empty body differs.
        if context.request.body.isEmpty { throw GoTrueError.bad(.badJSON, "Could not read verification params: EOF") }
        let body = try Body(of: context.request, as: Self.shape, saying: "Could not read verification params: ")
        guard !body[text: "email"].isEmpty else {
            throw GoTrueError.unprocessable(.validationFailed, "Password recovery requires an email")
        }
        let email = try Address.email(body[text: "email"])
        return try MagicLink(email: email, data: body.object("data") ?? [:], proof: try ProofKey(body)).answer(context)
    }
}

/// A mail with a link and a code: a magic link for confirmed users, a sign-up for all others.
struct MagicLink {
    var email: String
    var data: JSONObject
    var proof: ProofKey?

    static func checkSettings(_ context: RequestContext) throws {
        guard context.settings.signIn.allowsEmail else {
            throw GoTrueError.unprocessable(.emailProviderDisabled, "Email logins are disabled")
        }
        guard context.settings.signIn.allowsMagicLink else {
            throw GoTrueError.unprocessable(.emailProviderDisabled, "Login with magic link is disabled")
        }
    }

    func answer(_ context: RequestContext) throws -> EmulatorResponse {
        try Self.checkSettings(context)
        let address = try Address.email(email)
        var known = try context.db.user(email: address, audience: context.audience)
        if known?.isEmailConfirmed != true {
            guard !context.settings.signIn.isSignUpDisabled else { throw GoTrueError.signUpDisabled }
            let outcome = try context.signUps.register(NewAccount(email: address, data: data, proof: proof))
            guard case .confirmed(let user) = outcome else { return .go([:] as JSONObject) }
            known = try context.accounts.reload(user)
        }
        guard var user = known else { throw GoTrueError.unhandled }
        if let proof { try context.flows.start("magiclink", .magicLink, proof, of: user) }
        try context.mailer.sendRecovery(.magicLink, to: &user, proof)
        try context.auditLog.record(.recoveryRequested, user)
        return .go([:] as JSONObject)
    }
}

/// Answers `POST /recover`.
struct RecoverEndpoint: FormerEndpoint {
    static let shape = BodySchema.go("RecoverParams", ["email": .text], .security, .proof)

    func answer(_ context: RequestContext) throws -> EmulatorResponse {
        try context.limits.admit(.recover)
        let body = try Body(of: context.request, as: Self.shape)
        try context.limits.requireCaptcha(body)
        guard context.settings.signIn.allowsEmail else {
            throw GoTrueError.bad(.emailProviderDisabled, "Email logins are disabled")
        }
        guard !body[text: "email"].isEmpty else { throw GoTrueError.invalid("Password recovery requires an email") }
        let address = try Address.email(body[text: "email"])
        let proof = try ProofKey(body)
        guard var user = try context.db.user(email: address, audience: context.audience) else { return .go([:] as JSONObject) }
        if let proof { try context.flows.start("recovery", .recovery, proof, of: user) }
        try context.mailer.sendRecovery(.recovery, to: &user, proof)
        try context.auditLog.record(.recoveryRequested, user)
        return .go([:] as JSONObject)
    }
}

/// Answers `GET /reauthenticate`.
struct ReauthenticateEndpoint: FormerEndpoint {
    func answer(_ context: RequestContext) throws -> EmulatorResponse {
        var user = try context.authenticator.requireUser()
        var message: String?
        if !user.email.isEmpty {
            guard user.isEmailConfirmed else {
                throw GoTrueError.unprocessable(.emailNotConfirmed, "Please verify your email first.")
            }
            try context.mailer.sendReauthentication(to: &user)
        } else if !user.phone.isEmpty {
            guard user.isPhoneConfirmed else {
                throw GoTrueError.unprocessable(.phoneNotConfirmed, "Please verify your phone first.")
            }
            message = try context.textMessages.send(.reauthentication, to: user.phone, of: &user)
        } else {
            throw GoTrueError.invalid("Reauthentication requires the user to have an email or a phone number")
        }
        try context.auditLog.record(.reauthenticated, user)
        return .go(message.map { ["message_id": .string($0)] } ?? [:])
    }
}
