internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// Answers `POST /factors/{factor_id}/challenge`.
struct ChallengeEndpoint: FormerEndpoint {
    static let shape = BodySchema.go("ChallengeFactorParams", ["channel": .text, "webauthn": .optional(.members(.go("WebAuthnParams", ["rpId": .text, "rpOrigins": .anything, "type": .text, "credential_response": .anything])))])

    func answer(_ context: RequestContext) throws -> EmulatorResponse {
        let user = try context.authenticator.requireUser()
        try context.authenticator.refuseAnonymous()
        var factor = try context.factors.factorOfPath(user)
        try context.limits.admit(.factorChallenge)
        try context.factors.requireVerification(factor.kind)
        var challenge = FactorChallenge(
            id: context.uuid(), factorID: factor.id, address: context.callerAddress, createdAt: context.now)
        var json: JSONObject = [
            "id": .string(challenge.id), "type": .string(factor.kind.rawValue),
            "expires_at": .int((context.now + context.settings.factors.challengeLife).seconds),
        ]
        switch factor.kind {
        case .totp: break
        case .phone:
            try context.textMessages.checkChannel(try Body(of: context.request, as: Self.shape)[text: "channel"])
            try waitForInterval(since: factor.lastChallengedAt, context)
            let code = context.code("factor \(factor.id)", length: context.settings.factors.phoneCodeLength)
            challenge.code = code
            try context.textMessages.send(factorCode: code, to: factor.phone, user)
        case .webAuthn:
            _ = try Body(of: context.request, as: Self.shape)
            let ceremony = WebAuthnCeremony(settings: context.settings.passkeys)
            let text = Base64.encode(context.randomness.bytes(32), .url)
            challenge.webAuthnChallenge = text
            let options =
                factor.isVerified
                ? ceremony.factorRequest(challenge: text, factor.credential) : ceremony.factorCreation(challenge: text, user)
            json["webauthn"] = [
                "type": factor.isVerified ? "request" : "create", "credential_options": ["publicKey": .object(options)],
            ]
        }
        factor.lastChallengedAt = context.now
        try context.db.save(&factor, at: nil)
        try context.db.insert(challenge)
        // The real server lacks the third kind.
        if factor.kind != .webAuthn {
            let traits: JSONObject = ["factor_id": .string(factor.id), "factor_status": .string(factor.status)]
            try context.auditLog.record(.challengeCreated, user, traits: traits)
        }
        return .go(json)
    }

    private func waitForInterval(since sentAt: Instant?, _ context: RequestContext) throws {
        let interval = context.settings.factors.phoneInterval
        guard let sentAt, interval > .milliseconds(1), sentAt + interval > context.now else { return }
        throw GoTrueError.tooMany(.overSMSRate, Mailer.waitingTime(until: sentAt + interval, context.now))
    }
}

/// Which second factors may be used.
struct FactorRules {
    let context: RequestContext

    /// - Parameter isAnswer: Whether a challenge is answered: for security keys the real server then confuses the codes.
    func requireVerification(_ kind: Factor.Kind, isAnswer: Bool = false) throws {
        let rules = context.settings.factors
        let (isAllowed, code, name) =
            switch kind {
            case .totp: (rules.totp.mayVerify, "mfa_totp_verify_not_enabled", "TOTP")
            case .phone: (rules.phone.mayVerify, "mfa_phone_verify_not_enabled", "Phone")
            case .webAuthn:
                (
                    rules.webAuthn.mayVerify, isAnswer ? "mfa_webauthn_enroll_not_enabled" : "mfa_webauthn_verify_not_enabled",
                    "WebAuthn"
                )
            }
        guard isAllowed else {
            throw GoTrueError.unprocessable(ErrorCode(rawValue: code), "MFA verification is disabled for \(name)")
        }
    }

    /// The factor that a path names, one of this user's.
    func factorOfPath(_ user: User) throws(GoTrueError) -> Factor {
        let id = try context.pathID("factor_id")
        guard let factor = user.factors.first(where: { $0.id == id }) else {
            throw GoTrueError.notFound(.factorNotFound, "Factor not found")
        }
        return factor
    }
}
