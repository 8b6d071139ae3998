internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// The routes for the signed-in user's second factors.
struct FactorRoutes {
    let context: RequestContext

    static let body = BodySchema.go(
        "EnrollFactorParams", ["friendly_name": .text, "factor_type": .text, "issuer": .text, "phone": .text])
    static let challengeBody = BodySchema.go("ChallengeFactorParams", ["channel": .text, "webauthn": webAuthn])
    static let verificationBody = BodySchema.go(
        "VerifyFactorParams", ["challenge_id": .uuid, "code": .text, "webauthn": webAuthn])

    private static let webAuthn = BodySchema.Kind.members(
        .go("WebAuthnParams", ["rpId": .text, "rpOrigins": .anything, "type": .text, "credential_response": .anything]))

    /// Handles `POST /factors`.
    func enroll() throws -> EmulatorResponse {
        var user = try context.user
        guard context.session != nil else {
            throw GoTrueError.failure("A valid session and a registered user are required to enroll a factor")
        }
        let body = try context.body
        guard let kind = Factor.Kind(rawValue: body[text: "factor_type"]) else {
            throw GoTrueError.invalid("factor_type needs to be totp, phone, or webauthn")
        }
        try context.factors.requireEnrollment(kind)
        var factor = Factor(
            id: context.uuid(), userID: user.id, name: body[text: "friendly_name"], kind: kind, createdAt: context.now,
            updatedAt: context.now)
        if kind == .phone {
            guard !body[text: "phone"].isEmpty else { throw GoTrueError.invalid("Phone number required to enroll Phone factor") }
            factor.phone = try Address.phone(body[text: "phone"])
        }
        try context.factors.makeRoom(for: factor, &user)
        if kind == .totp { factor.secret = TOTP.newSecret(context.randomness) }
        try context.factors.create(factor)
        var traits: JSONObject = ["factor_id": .string(factor.id)]
        if kind != .totp { traits["factor_type"] = .string(kind.rawValue) }
        try context.auditLog.record(.factorEnrolled, user, traits: traits)
        return .go(try json(factor, body, user))
    }

    private func json(_ factor: Factor, _ body: Body, _ user: User) throws -> JSONObject {
        var json: JSONObject = [
            "id": .string(factor.id), "type": .string(factor.kind.rawValue), "friendly_name": .string(factor.name),
        ]
        switch factor.kind {
        case .phone: json["phone"] = .string(body[text: "phone"])
        case .webAuthn: break
        case .totp:
            guard !user.email.isEmpty else { throw GoTrueError.failure("Error generating QR Code") }
            var issuer = body[text: "issuer"]
            if issuer.isEmpty, let site = GoURL(context.settings.siteURL) {
                issuer = site.host + (site.port.isEmpty ? "" : ":" + site.port)
            }
            let secret = factor.secret ?? ""
            let address = TOTP.address(secret: secret, issuer: issuer, account: user.email)
            json["totp"] = ["qr_code": .string(QRImage.svg(of: address)), "secret": .string(secret), "uri": .string(address)]
        }
        return json
    }

    /// Handles `POST /factors/{factor_id}/challenge`.
    func challenge() throws -> EmulatorResponse {
        let user = try context.user
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
            try context.textMessages.checkChannel(context.body[text: "channel"])
            try context.factors.waitForInterval(since: factor.lastChallengedAt)
            let code = context.code("factor \(factor.id)", length: context.settings.factors.phoneCodeLength)
            challenge.code = code
            try context.textMessages.send(factorCode: code, to: factor.phone, user)
        case .webAuthn:
            _ = try context.body
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
        // A challenge alone is not a change, so the time of the last one stays.
        try context.db.update(factor)
        try context.db.insert(challenge)
        // The real server does not have the third kind.
        if factor.kind != .webAuthn {
            let traits: JSONObject = ["factor_id": .string(factor.id), "factor_status": .string(factor.status)]
            try context.auditLog.record(.challengeCreated, user, traits: traits)
        }
        return .go(json)
    }

    /// Handles `POST /factors/{factor_id}/verify`.
    func verify() throws -> EmulatorResponse {
        var user = try context.user
        var factor = try context.factors.factorOfPath(user)
        try context.limits.admit(.factorVerify)
        let body = try context.body
        if factor.kind != .webAuthn, body[text: "code"].isEmpty { throw GoTrueError.invalid("Code needs to be non-empty") }
        try context.factors.requireVerification(factor.kind, isAnswer: true)
        let wasVerified = factor.isVerified
        let challengeID = UUIDText.normal(body[text: "challenge_id"]) ?? ""
        switch factor.kind {
        case .webAuthn: try context.factors.checkCredential(body.nested("webauthn"), ofChallenge: challengeID, &factor)
        case .totp, .phone:
            var challenge = try context.factors.challenge(challengeID, of: factor)
            let isRight = context.factors.isRight(body[text: "code"], factor, challenge)
            if let refusal = try context.hooks.askAboutFactor(factor, of: user, isRight: isRight) {
                try context.db.endSessions(of: user.id)
                throw GoTrueError.factorRejected(refusal).kept
            }
            guard isRight else {
                let name = factor.kind == .totp ? "TOTP" : "MFA Phone"
                throw GoTrueError.wrongFactorCode(name)
            }
            challenge.verifiedAt = context.now
            try context.db.update(challenge)
        }
        let traits: JSONObject = [
            "factor_id": .string(factor.id), "challenge_id": .string(challengeID), "factor_type": .string(factor.kind.rawValue),
        ]
        try context.auditLog.record(.factorVerified, user, traits: traits)
        factor.isVerified = true
        if !wasVerified || factor.kind == .webAuthn { try context.db.save(&factor, at: context.now) }
        return .go(try context.factors.stepUp(&user, by: factor).json)
    }

    /// Handles `DELETE /factors/{factor_id}`.
    func unenroll() throws -> EmulatorResponse {
        let user = try context.user
        let factor = try context.factors.factorOfPath(user)
        guard let session = context.session else {
            throw GoTrueError.failure("A valid session and factor are required to unenroll a factor")
        }
        if factor.isVerified, !session.isSecondFactor { throw GoTrueError.secondFactorToUnenroll }
        try context.db.deleteFactor(factor)
        let traits: JSONObject = [
            "factor_id": .string(factor.id), "factor_status": .string(factor.status), "session_id": .string(session.id),
        ]
        try context.auditLog.record(.factorUnenrolled, user, traits: traits)
        return .go(["id": .string(factor.id)] as JSONObject)
    }
}
