internal import LockstepCrypto
internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// Answers `POST /factors/{factor_id}/verify`.
struct VerifyFactorEndpoint: FormerEndpoint {
    static let shape = BodySchema.go("VerifyFactorParams", ["challenge_id": .uuid, "code": .text, "webauthn": .optional(.members(.go("WebAuthnParams", ["rpId": .text, "rpOrigins": .anything, "type": .text, "credential_response": .anything])))])

    func answer(_ context: RequestContext) throws -> EmulatorResponse {
        var user = try context.authenticator.requireUser()
        try context.authenticator.refuseAnonymous()
        var factor = try context.factors.factorOfPath(user)
        try context.limits.admit(.factorVerify)
        let body = try Body(of: context.request, as: Self.shape)
        if factor.kind != .webAuthn, body[text: "code"].isEmpty { throw GoTrueError.invalid("Code needs to be non-empty") }
        try context.factors.requireVerification(factor.kind, isAnswer: true)
        let wasVerified = factor.isVerified
        var challengeID = ""
        switch factor.kind {
        case .webAuthn: challengeID = try checkCredential(body, &factor, context)
        case .totp, .phone:
            let challenge = try challenge(body, factor, context)
            let isRight = isRight(body[text: "code"], factor, challenge, context)
            if let refusal = try context.hooks.askAboutFactor(factor, of: user, isRight: isRight) {
                try context.db.endSessions(of: user.id)
                return context.response(to: GoTrueError.forbidden(.factorVerificationRejected, refusal))
            }
            guard isRight else {
                let name = factor.kind == .totp ? "TOTP" : "MFA Phone"
                throw GoTrueError.unprocessable(.factorVerificationFailed, "Invalid \(name) code entered")
            }
            try context.db.run("UPDATE mfa_challenges SET verified_at = \(context.now) WHERE id = \(challenge.id)")
            challengeID = challenge.id
        }
        let traits: JSONObject = [
            "factor_id": .string(factor.id), "challenge_id": .string(challengeID), "factor_type": .string(factor.kind.rawValue),
        ]
        try context.auditLog.record(.factorVerified, user, traits: traits)
        factor.isVerified = true
        if !wasVerified || factor.kind == .webAuthn { try context.db.save(&factor, at: context.now) }
        let session = try stepUp(&user, factor, context)
        return .go(session.json)
    }

    private func challenge(_ body: Body, _ factor: Factor, _ context: RequestContext) throws -> FactorChallenge {
        let id = UUIDText.normal(body[text: "challenge_id"]) ?? ""
        guard let challenge = try context.db.challenge(id: id, of: factor.id) else {
            throw GoTrueError.unprocessable(.factorNotFound, "MFA factor with the provided challenge ID not found")
        }
        guard challenge.verifiedAt == nil, challenge.address == context.callerAddress else {
            throw GoTrueError.unprocessable(.addressMismatch, "Challenge and verify IP addresses mismatch.")
        }
        guard context.now < challenge.createdAt + context.settings.factors.challengeLife else {
            try context.db.run("DELETE FROM mfa_challenges WHERE id = \(challenge.id)")
            let message = "MFA challenge \(challenge.id) has expired, verify against another challenge or create a new challenge."
            throw GoTrueError.unprocessable(.challengeExpired, message).kept
        }
        return challenge
    }

    private func isRight(_ code: String, _ factor: Factor, _ challenge: FactorChallenge, _ context: RequestContext) -> Bool {
        guard factor.kind == .phone else {
            let bare = String(code.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
            return TOTP(secret: factor.secret ?? "").accepts(bare, at: context.now)
        }
        return challenge.code.map { ConstantTime.areEqual(code, $0) } ?? false
    }

    /// - Returns: The challenge's id; the challenge is used up.
    private func checkCredential(_ body: Body, _ factor: inout Factor, _ context: RequestContext) throws -> String {
        guard let answer = body.object("webauthn") else { throw GoTrueError.invalid("WebAuthn config required") }
        let type = answer["type"]?.string ?? ""
        guard type == "create" || type == "request" else {
            throw GoTrueError.invalid("WebAuthn type must be create or request")
        }
        guard let sent = answer["credential_response"] else { throw GoTrueError.invalid("credential_response required") }
        let challenge = try challenge(body, factor, context)
        let ceremony = WebAuthnCeremony(settings: context.settings.passkeys)
        let expected = challenge.webAuthnChallenge ?? ""
        if type == "create" {
            guard let response = WebAuthnResponse(creation: sent) else {
                throw GoTrueError.invalid("Invalid credential_response")
            }
            guard let credential = ceremony.relyingParty.verify(response, challenge: expected) else {
                throw GoTrueError.unhandled
            }
            if !factor.isVerified {
                factor.credential = credential.json
                factor.aaguid = UUIDText.normal(Hex.encode(credential.aaguid))
            }
        } else {
            guard let response = WebAuthnResponse(assertion: sent) else {
                throw GoTrueError.invalid("Invalid credential_response")
            }
            guard let known = factor.credential.flatMap({ WebAuthnCredential($0) }),
                ceremony.relyingParty.verify(response, challenge: expected, against: known, userID: factor.userID) != nil
            else { throw GoTrueError.failure("Failed to validate WebAuthn MFA response") }
        }
        factor.challengeData = [
            "challenge": ["challenge": .string(expected)], "type": .string(type),
            "credential_response": ["ID": sent["id"] ?? "", "type": "public-key"],
        ]
        try context.db.run("DELETE FROM mfa_challenges WHERE id = \(challenge.id)")
        return challenge.id
    }

    /// Raises the session's assurance level, and ends the user's weaker sessions.
    private func stepUp(_ user: inout User, _ factor: Factor, _ context: RequestContext) throws -> IssuedSession {
        guard let known = context.session else { throw GoTrueError.unhandled }
        try context.db.addProof(factor.kind.method, to: known.id, at: context.now)
        try context.db.run(
            "UPDATE sessions SET aal = 'aal2', factor_id = \(factor.id), updated_at = \(context.now) WHERE id = \(known.id)")
        guard var session = try context.db.session(id: known.id) else { throw GoTrueError.unhandled }
        user.factors = try context.db.factors(of: user.id)
        let refreshToken: String
        if let counter = session.refreshCounter {
            // Adds two, so that the previous token is not the direct predecessor of this one.
            session.refreshCounter = counter + 2
            try context.db.run(
                "UPDATE sessions SET refresh_token_counter = \(counter + 2), refreshed_at = \(context.now) WHERE id = \(session.id)"
            )
            refreshToken = try SignedRefreshToken(sessionID: session.id, counter: counter + 2).text(key: session.refreshKey)
        } else {
            refreshToken = context.sessions.newRefreshToken()
            // The real server does not handle a session whose tokens were all revoked.
            guard let parent = try context.db.oldestRefreshToken(of: session.id) else { throw GoTrueError.unhandled }
            try context.auditLog.record(.tokenRevoked, user)
            try context.db.insertRefreshToken(refreshToken, parent: parent, session: session, at: context.now)
            user.updatedAt = context.now
        }
        let issued = try context.sessions.issue(refreshToken, of: session, to: user, by: factor.kind.method, isAnnounced: false)
        try context.db.run("DELETE FROM sessions WHERE user_id = \(user.id) AND id != \(session.id) AND aal = 'aal1'")
        try context.db.run(
            "DELETE FROM mfa_factors WHERE user_id = \(user.id) AND factor_type = \(factor.kind.rawValue) AND status = 'unverified'"
        )
        return issued
    }
}
