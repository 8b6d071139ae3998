internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

extension Turn {
    func askForPasskeys() throws {
        guard settings.passkeys.isEnabled else { throw GoTrueError.notFound(.passkeyDisabled, "Passkeys are disabled") }
    }

    /// A user may manage passkeys whose address is proven, with the second factor where there is one.
    func askForPasskeyRights() throws {
        let user = try user()
        if user.hasVerifiedFactor, caller?.session?.isSecondFactor != true {
            throw GoTrueError.forbidden(
                .insufficientAAL, "AAL2 session is required to manage passkeys when MFA is enabled")
        }
    }

    /// The challenge of a body, used up.
    func takeChallenge(_ body: Body, of userID: String?, _ db: inout SQLiteConnection) throws -> String {
        let text = body[text: "challenge_id"]
        guard !text.isEmpty else { throw GoTrueError.invalid("challenge_id is required") }
        guard let id = UUIDText.normal(text) else { throw GoTrueError.invalid("challenge_id must be a valid UUID") }
        guard body[raw: "credential"] != nil else { throw GoTrueError.invalid("credential is required") }
        let found = try db.first("SELECT challenge, expires_at, user_id FROM webauthn_challenges WHERE id = \(id)") {
            row throws(SQLiteError) in
            (challenge: try row[0] as String, end: try row[1] as Instant, owner: try row[2] as String?)
        }
        guard let found, found.owner == userID else {
            throw GoTrueError.bad(.webAuthnChallengeNotFound, "Challenge not found or already used")
        }
        try db.run("DELETE FROM webauthn_challenges WHERE id = \(id)")
        guard now < found.end else { throw GoTrueError.bad(.webAuthnChallengeExpired, "Challenge has expired") }
        return found.challenge
    }

    /// Makes a challenge, and answers it with its options.
    func passkeyAnswer(
        _ options: (String) -> JSONObject, of userID: String?, _ db: inout SQLiteConnection
    ) throws -> EmulatorResponse {
        let id = uuid()
        let challenge = Base64.encode(randomness.bytes(32), .url)
        let end = now + .seconds(300)
        try db.run("DELETE FROM webauthn_challenges WHERE expires_at < \(now - .seconds(3600))")
        try db.run(
            "INSERT INTO webauthn_challenges (id, user_id, challenge, expires_at) VALUES (\(id), \(userID.sqliteValue), \(challenge), \(end))"
        )
        let body: JSONObject = [
            "challenge_id": .string(id), "options": .object(options(challenge)), "expires_at": .int(end.seconds),
        ]
        return .go(body)
    }

    static let passkeyShape = BodyShape("PasskeyParams", [("challenge_id", .text), ("credential", .raw)])
    static let refusedCredential = GoTrueError.bad(.webAuthnVerificationFailed, "Credential verification failed")
    static let brokenCredential = GoTrueError.bad(.webAuthnVerificationFailed, "Invalid credential response")
}

/// Answers `POST /passkeys/registration/options`.
struct PasskeyRegistrationOptionsEndpoint: Endpoint {
    func answer(_ turn: inout Turn, _ db: inout SQLiteConnection) throws -> EmulatorResponse {
        try turn.authenticate(&db)
        try turn.refuseAnonymous()
        try turn.askForPasskeys()
        try turn.limit(.passkey)
        try turn.askForPasskeyRights()
        let user = try turn.user()
        let known: [String] = try db.all("SELECT credential_id FROM webauthn_credentials WHERE user_id = \(user.id) ORDER BY row")
        { row throws(SQLiteError) in try row[0] }
        guard known.count < turn.settings.passkeys.maximum else {
            throw GoTrueError.unprocessable(.tooManyPasskeys, "Maximum number of passkeys reached")
        }
        let ceremony = WebAuthnCeremony(settings: turn.settings.passkeys)
        return try turn.passkeyAnswer({ ceremony.passkeyCreation(challenge: $0, user, excluding: known) }, of: user.id, &db)
    }
}

/// Answers `POST /passkeys/registration/verify`.
struct PasskeyRegistrationEndpoint: Endpoint {
    func answer(_ turn: inout Turn, _ db: inout SQLiteConnection) throws -> EmulatorResponse {
        try turn.authenticate(&db)
        try turn.refuseAnonymous()
        try turn.askForPasskeys()
        try turn.limit(.passkey)
        try turn.askForPasskeyRights()
        let user = try turn.user()
        let body = try Body(of: turn.request, as: Turn.passkeyShape)
        let challenge = try turn.takeChallenge(body, of: user.id, &db)
        guard let response = WebAuthnResponse(creation: body[raw: "credential"] ?? .null) else {
            return turn.refusal(Turn.brokenCredential)
        }
        let ceremony = WebAuthnCeremony(settings: turn.settings.passkeys)
        guard let credential = ceremony.verify(response, challenge: challenge) else {
            return turn.refusal(Turn.refusedCredential)
        }
        if try db.exists("SELECT 1 FROM webauthn_credentials WHERE credential_id = \(credential.id)") {
            throw GoTrueError(
                status: 500,
                form: .constraint(
                    GoTrueError.Constraint(
                        message: "duplicate key value violates unique constraint \"webauthn_credentials_credential_id_key\"",
                        detail: "Key (credential_id)=(\(credential.id)) already exists.")),
                message: "Database error creating passkey")
        }
        let id = turn.uuid()
        try db.run(
            "INSERT INTO webauthn_credentials (id, user_id, credential_id, credential, friendly_name, created_at, updated_at) VALUES (\(id), \(user.id), \(credential.id), \(StoredObject(credential.json)), 'Passkey', \(turn.now), \(turn.now))"
        )
        let json: JSONObject = [
            "id": .string(id), "friendly_name": "Passkey", "created_at": Timestamp.json(turn.now),
        ]
        return .go(json)
    }
}

/// Answers `POST /passkeys/authentication/options`.
struct PasskeySignInOptionsEndpoint: Endpoint {
    func answer(_ turn: inout Turn, _ db: inout SQLiteConnection) throws -> EmulatorResponse {
        try turn.askForPasskeys()
        try turn.limit(.passkey)
        if turn.settings.asksForCaptcha {
            let isEmpty = turn.request.body.isEmpty
            try turn.askForCaptcha(
                isEmpty ? Body() : Body(of: turn.request, as: BodyShape("PasskeyParams", [BodyShape.security])))
        }
        let ceremony = WebAuthnCeremony(settings: turn.settings.passkeys)
        return try turn.passkeyAnswer({ ceremony.passkeyRequest(challenge: $0) }, of: nil, &db)
    }
}

/// Answers `POST /passkeys/authentication/verify`.
struct PasskeySignInEndpoint: Endpoint {
    func answer(_ turn: inout Turn, _ db: inout SQLiteConnection) throws -> EmulatorResponse {
        try turn.askForPasskeys()
        try turn.limit(.passkey)
        let body = try Body(of: turn.request, as: Turn.passkeyShape)
        let challenge = try turn.takeChallenge(body, of: nil, &db)
        guard let response = WebAuthnResponse(assertion: body[raw: "credential"] ?? .null) else {
            return turn.refusal(Turn.brokenCredential)
        }
        let found = try db.first("SELECT id, user_id, credential FROM webauthn_credentials WHERE credential_id = \(response.id)")
        { row throws(SQLiteError) in
            (id: try row[0] as String, owner: try row[1] as String, credential: try (row[2] as StoredObject).object)
        }
        let ceremony = WebAuthnCeremony(settings: turn.settings.passkeys)
        guard let found, var user = try db.user(id: found.owner), let known = WebAuthnCredential(found.credential),
            let credential = ceremony.verify(response, challenge: challenge, against: known, userID: user.id)
        else { return turn.refusal(Turn.refusedCredential) }
        if user.isBanned(at: turn.now) { return turn.refusal(GoTrueError.banned) }
        if !user.email.isEmpty, !user.isEmailConfirmed {
            return turn.refusal(.forbidden(.emailNotConfirmed, "Email not confirmed"))
        }
        if user.email.isEmpty, !user.phone.isEmpty, !user.isPhoneConfirmed {
            return turn.refusal(.forbidden(.phoneNotConfirmed, "Phone not confirmed"))
        }
        try db.run(
            "UPDATE webauthn_credentials SET credential = \(StoredObject(credential.json)), last_used_at = \(turn.now), updated_at = \(turn.now) WHERE id = \(found.id)"
        )
        try turn.audit(.login, user, &db, traits: ["provider": "passkey"])
        var session = try turn.openSession(for: &user, by: .passkey, &db)
        session.user = user
        return .go(session.json)
    }
}
