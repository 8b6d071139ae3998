internal import LockstepCrypto
internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// Answers `POST /factors/{factor_id}/verify`.
struct VerifyFactorEndpoint: Endpoint {
    static let shape = BodyShape(
        "VerifyFactorParams",
        [
            ("challenge_id", .uuid), ("code", .text),
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
        var user = try turn.user()
        var factor = try turn.factorOfPath(user)
        try turn.limit(.factorVerify)
        let body = try Body(of: turn.request, as: Self.shape)
        if factor.kind != .webAuthn, body[text: "code"].isEmpty { throw GoTrueError.invalid("Code needs to be non-empty") }
        try turn.askWhetherFactorsVerify(factor.kind, isAnswer: true)
        let wasVerified = factor.isVerified
        var challengeID = ""
        switch factor.kind {
        case .webAuthn: challengeID = try checkCredential(body, &factor, turn, &db)
        case .totp, .phone:
            let challenge = try challenge(body, factor, turn, &db)
            let isRight = isRight(body[text: "code"], factor, challenge, turn)
            if let refusal = try turn.askAboutFactor(factor, of: user, isRight: isRight) {
                try db.endSessions(of: user.id)
                return turn.refusal(.forbidden(.factorVerificationRejected, refusal))
            }
            guard isRight else {
                let name = factor.kind == .totp ? "TOTP" : "MFA Phone"
                throw GoTrueError.unprocessable(.factorVerificationFailed, "Invalid \(name) code entered")
            }
            try db.run("UPDATE mfa_challenges SET verified_at = \(turn.now) WHERE id = \(challenge.id)")
            challengeID = challenge.id
        }
        let traits: JSONObject = [
            "factor_id": .string(factor.id), "challenge_id": .string(challengeID), "factor_type": .string(factor.kind.rawValue),
        ]
        try turn.audit(.factorVerified, user, &db, traits: traits)
        factor.isVerified = true
        if !wasVerified || factor.kind == .webAuthn { try db.save(&factor, at: turn.now) }
        let session = try stepUp(&user, factor, &turn, &db)
        return .go(session.json)
    }

    private func challenge(
        _ body: Body, _ factor: Factor, _ turn: Turn, _ db: inout SQLiteConnection
    ) throws -> FactorChallenge {
        let id = UUIDText.normal(body[text: "challenge_id"]) ?? ""
        guard let challenge = try db.challenge(id: id, of: factor.id) else {
            throw GoTrueError.unprocessable(.factorNotFound, "MFA factor with the provided challenge ID not found")
        }
        guard challenge.verifiedAt == nil, challenge.address == turn.callerAddress else {
            throw GoTrueError.unprocessable(.addressMismatch, "Challenge and verify IP addresses mismatch.")
        }
        guard turn.now < challenge.createdAt + turn.settings.factors.challengeLife else {
            try db.run("DELETE FROM mfa_challenges WHERE id = \(challenge.id)")
            let message = "MFA challenge \(challenge.id) has expired, verify against another challenge or create a new challenge."
            throw GoTrueError.unprocessable(.challengeExpired, message).kept
        }
        return challenge
    }

    private func isRight(_ code: String, _ factor: Factor, _ challenge: FactorChallenge, _ turn: Turn) -> Bool {
        guard factor.kind == .phone else {
            let bare = String(code.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
            return TOTP(secret: factor.secret ?? "").accepts(bare, at: turn.now)
        }
        return challenge.code.map { ConstantTime.areEqual(code, $0) } ?? false
    }

    /// - Returns: The challenge's id; the challenge is used up.
    private func checkCredential(
        _ body: Body, _ factor: inout Factor, _ turn: Turn, _ db: inout SQLiteConnection
    ) throws -> String {
        guard let answer = body[object: "webauthn"] else { throw GoTrueError.invalid("WebAuthn config required") }
        let type = answer["type"]?.string ?? ""
        guard type == "create" || type == "request" else {
            throw GoTrueError.invalid("WebAuthn type must be create or request")
        }
        guard let sent = answer["credential_response"] else { throw GoTrueError.invalid("credential_response required") }
        let challenge = try challenge(body, factor, turn, &db)
        let ceremony = WebAuthnCeremony(settings: turn.settings.passkeys)
        let expected = challenge.webAuthnChallenge ?? ""
        if type == "create" {
            guard let response = WebAuthnResponse(creation: sent) else {
                throw GoTrueError.invalid("Invalid credential_response")
            }
            guard let credential = ceremony.verify(response, challenge: expected) else {
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
                ceremony.verify(response, challenge: expected, against: known, userID: factor.userID) != nil
            else { throw GoTrueError.failure("Failed to validate WebAuthn MFA response") }
        }
        factor.challengeData = [
            "challenge": ["challenge": .string(expected)], "type": .string(type),
            "credential_response": ["ID": sent["id"] ?? "", "type": "public-key"],
        ]
        try db.run("DELETE FROM mfa_challenges WHERE id = \(challenge.id)")
        return challenge.id
    }

    /// Raises the session's assurance level, and ends the user's weaker sessions.
    private func stepUp(
        _ user: inout User, _ factor: Factor, _ turn: inout Turn, _ db: inout SQLiteConnection
    ) throws -> IssuedSession {
        guard let known = turn.caller?.session else { throw GoTrueError.unhandled }
        try db.addProof(factor.kind.method, to: known.id, at: turn.now)
        try db.run("UPDATE sessions SET aal = 'aal2', factor_id = \(factor.id), updated_at = \(turn.now) WHERE id = \(known.id)")
        guard var session = try db.session(id: known.id) else { throw GoTrueError.unhandled }
        user.factors = try db.factors(of: user.id)
        let refreshToken: String
        if let counter = session.refreshCounter {
            // Adds two, so that the previous token is not the direct predecessor of this one.
            session.refreshCounter = counter + 2
            try db.run(
                "UPDATE sessions SET refresh_token_counter = \(counter + 2), refreshed_at = \(turn.now) WHERE id = \(session.id)")
            refreshToken = try SignedRefreshToken(sessionID: session.id, counter: counter + 2).text(key: session.refreshKey)
        } else {
            refreshToken = turn.newRefreshToken()
            // The real server does not handle a session whose tokens were all revoked.
            guard let parent = try db.oldestRefreshToken(of: session.id) else { throw GoTrueError.unhandled }
            try turn.audit(.tokenRevoked, user, &db)
            try db.insertRefreshToken(refreshToken, parent: parent, session: session, at: turn.now)
            user.updatedAt = turn.now
        }
        let issued = try turn.issue(refreshToken, of: session, to: user, by: factor.kind.method, isAnnounced: false)
        try db.run("DELETE FROM sessions WHERE user_id = \(user.id) AND id != \(session.id) AND aal = 'aal1'")
        try db.run(
            "DELETE FROM mfa_factors WHERE user_id = \(user.id) AND factor_type = \(factor.kind.rawValue) AND status = 'unverified'"
        )
        return issued
    }
}
