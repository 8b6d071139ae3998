internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

extension Turn {
    func askForPasskeys() throws {
        guard settings.passkeys.isEnabled else { throw GoTrueError.notFound(.passkeyDisabled, "Passkeys are disabled") }
    }

    /// Passkeys are added and deleted with the second factor, where there is one; renaming needs none.
    func askForPasskeyRights() throws {
        let user = try user()
        if user.hasVerifiedFactor, caller?.session?.isSecondFactor != true {
            throw GoTrueError.forbidden(
                .insufficientAAL, "AAL2 session is required to manage passkeys when MFA is enabled")
        }
    }

    /// Takes the challenge of a body and uses it up.
    func takeChallenge(_ body: Body, of userID: String?, _ db: inout SQLiteConnection) throws -> String {
        let text = body[text: "challenge_id"]
        guard !text.isEmpty else { throw GoTrueError.invalid("challenge_id is required") }
        guard body[raw: "credential"] != nil else { throw GoTrueError.invalid("credential is required") }
        guard let id = UUIDText.normal(text) else { throw GoTrueError.invalid("challenge_id must be a valid UUID") }
        let found = try db.first("SELECT challenge, expires_at, user_id FROM webauthn_challenges WHERE id = \(id)") {
            row throws(SQLiteError) in
            (challenge: try row[0] as String, end: try row[1] as Instant, owner: try row[2] as String?)
        }
        guard let found, found.owner == userID else {
            throw GoTrueError.bad(.webAuthnChallengeNotFound, "Challenge not found or already used")
        }
        try db.run("DELETE FROM webauthn_challenges WHERE id = \(id)")
        guard now < found.end else { throw GoTrueError.bad(.webAuthnChallengeExpired, "Challenge has expired").kept }
        return found.challenge
    }

    /// Creates a challenge, and answers with its options.
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

    func refuseMorePasskeys(than count: Int) throws(GoTrueError) {
        guard count < settings.passkeys.maximum else {
            throw GoTrueError.unprocessable(.tooManyPasskeys, "Maximum number of passkeys reached").kept
        }
    }

    static let passkeyShape = BodyShape("PasskeyParams", [("challenge_id", .text), ("credential", .raw)])
    static let refusedCredential = GoTrueError.bad(.webAuthnVerificationFailed, "Credential verification failed")
    static let brokenCredential = GoTrueError.bad(.webAuthnVerificationFailed, "Invalid credential response")
}
