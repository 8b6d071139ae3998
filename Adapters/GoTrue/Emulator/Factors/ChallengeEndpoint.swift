internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// Answers `POST /factors/{factor_id}/challenge`.
struct ChallengeEndpoint: Endpoint {
    static let shape = BodyShape(
        "ChallengeFactorParams",
        [
            ("channel", .text),
            (
                "webauthn",
                .optional(
                    BodyShape(
                        "WebAuthnParams", [("rpId", .text), ("rpOrigins", .raw), ("type", .text), ("credential_response", .raw)]))
            ),
        ])

    func answer(_ turn: inout Turn, _ db: inout SQLiteConnection) throws -> EmulatorResponse {
        try turn.authenticate(&db)
        try turn.refuseAnonymous()
        let user = try turn.user()
        var factor = try turn.factorOfPath(user)
        try turn.limit(.factorChallenge)
        try turn.askWhetherFactorsVerify(factor.kind)
        var challenge = FactorChallenge(
            id: turn.uuid(), factorID: factor.id, address: turn.callerAddress, createdAt: turn.now)
        var json: JSONObject = [
            "id": .string(challenge.id), "type": .string(factor.kind.rawValue),
            "expires_at": .int((turn.now + turn.settings.factors.challengeLife).seconds),
        ]
        switch factor.kind {
        case .totp: break
        case .phone:
            try turn.checkChannel(try Body(of: turn.request, as: Self.shape)[text: "channel"])
            try waitForInterval(since: factor.lastChallengedAt, turn)
            let code = turn.code("factor \(factor.id)", length: turn.settings.factors.phoneCodeLength)
            challenge.code = code
            try turn.deliver(factorCode: code, to: factor.phone, user)
        case .webAuthn:
            _ = try Body(of: turn.request, as: Self.shape)
            let ceremony = WebAuthnCeremony(settings: turn.settings.passkeys)
            let text = Base64.encode(turn.randomness.bytes(32), .url)
            challenge.webAuthnChallenge = text
            let options =
                factor.isVerified
                ? ceremony.factorRequest(challenge: text, factor.credential) : ceremony.factorCreation(challenge: text, user)
            json["webauthn"] = [
                "type": factor.isVerified ? "request" : "create", "credential_options": ["publicKey": .object(options)],
            ]
        }
        factor.lastChallengedAt = turn.now
        try db.save(&factor, at: nil)
        try db.insert(challenge)
        // The real server lacks the third kind.
        if factor.kind != .webAuthn {
            let traits: JSONObject = ["factor_id": .string(factor.id), "factor_status": .string(factor.status)]
            try turn.audit(.challengeCreated, user, &db, traits: traits)
        }
        return .go(json)
    }

    private func waitForInterval(since sentAt: Instant?, _ turn: Turn) throws {
        let interval = turn.settings.factors.phoneInterval
        guard let sentAt, interval > .milliseconds(1), sentAt + interval > turn.now else { return }
        throw GoTrueError.tooMany(.overSMSRate, Turn.waitingTime(until: sentAt + interval, turn.now))
    }
}

extension Turn {
    /// - Parameter isAnswer: Whether a challenge is answered: for security keys the real server then confuses the codes.
    func askWhetherFactorsVerify(_ kind: Factor.Kind, isAnswer: Bool = false) throws {
        let rules = settings.factors
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
}
