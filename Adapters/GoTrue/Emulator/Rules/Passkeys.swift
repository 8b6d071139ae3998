internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// The rules of passkeys, and their challenges.
struct Passkeys {
    let context: RequestContext

    /// Refuses where the feature is off.
    func requireEnabled() throws {
        guard context.settings.passkeys.isEnabled else { throw GoTrueError.notFound(.passkeyDisabled, "Passkeys are disabled") }
    }

    /// Passkeys are added and deleted with the second factor, where there is one; renaming needs none.
    func requireRights(of user: User) throws {
        if user.hasVerifiedFactor, context.session?.isSecondFactor != true {
            throw GoTrueError.forbidden(
                .insufficientAAL, "AAL2 session is required to manage passkeys when MFA is enabled")
        }
    }

    /// Takes the challenge of a body and uses it up.
    func takeChallenge(_ body: Body, of userID: String?) throws -> String {
        let text = body[text: "challenge_id"]
        guard !text.isEmpty else { throw GoTrueError.invalid("challenge_id is required") }
        guard body["credential"] != nil else { throw GoTrueError.invalid("credential is required") }
        guard let id = UUIDText.normal(text) else { throw GoTrueError.invalid("challenge_id must be a valid UUID") }
        let found = try context.db.first("SELECT challenge, expires_at, user_id FROM webauthn_challenges WHERE id = \(id)") {
            row throws(SQLiteError) in
            (challenge: try row[0] as String, end: try row[1] as Instant, owner: try row[2] as String?)
        }
        guard let found, found.owner == userID else {
            throw GoTrueError.bad(.webAuthnChallengeNotFound, "Challenge not found or already used")
        }
        try context.db.run("DELETE FROM webauthn_challenges WHERE id = \(id)")
        guard context.now < found.end else { throw GoTrueError.bad(.webAuthnChallengeExpired, "Challenge has expired").kept }
        return found.challenge
    }

    /// Creates a challenge, and answers with its options.
    func answer(_ options: (String) -> JSONObject, of userID: String?) throws -> EmulatorResponse {
        let id = context.uuid()
        let challenge = Base64.encode(context.randomness.bytes(32), .url)
        let end = context.now + .seconds(300)
        try context.db.run("DELETE FROM webauthn_challenges WHERE expires_at < \(context.now - .seconds(3600))")
        try context.db.run(
            "INSERT INTO webauthn_challenges (id, user_id, challenge, expires_at) VALUES (\(id), \(userID.sqliteValue), \(challenge), \(end))"
        )
        let body: JSONObject = [
            "challenge_id": .string(id), "options": .object(options(challenge)), "expires_at": .int(end.seconds),
        ]
        return .go(body)
    }

    func refuseMore(than count: Int) throws(GoTrueError) {
        guard count < context.settings.passkeys.maximum else {
            throw GoTrueError.unprocessable(.tooManyPasskeys, "Maximum number of passkeys reached").kept
        }
    }

    static let refusedCredential = GoTrueError.bad(.webAuthnVerificationFailed, "Credential verification failed")
    static let brokenCredential = GoTrueError.bad(.webAuthnVerificationFailed, "Invalid credential response")
}

/// A user's passkeys, as answers show them.
struct PasskeyList {
    let context: RequestContext
    let userID: String

    static let notFound = GoTrueError.notFound(.validationFailed, "Passkey not found")

    func all() throws -> [JSON] {
        try context.db.all("SELECT * FROM webauthn_credentials WHERE user_id = \(userID) ORDER BY row", Self.json)
    }

    func one(_ id: String) throws -> JSON {
        let found = try context.db.first("SELECT * FROM webauthn_credentials WHERE user_id = \(userID) AND id = \(id)", Self.json)
        guard let found else { throw Self.notFound }
        return found
    }

    /// Deletes the passkey that a path names.
    ///
    /// - Returns: Its id.
    func deleteOfPath() throws -> String {
        guard let id = UUIDText.normal(context.request[placeholder: "passkey_id"]) else { throw Self.notFound }
        _ = try one(id)
        try context.db.run("DELETE FROM webauthn_credentials WHERE id = \(id)")
        return id
    }

    private static func json(_ row: borrowing SQLiteRow) throws(SQLiteError) -> JSON {
        var json: JSONObject = ["id": .string(try row["id"])]
        let name: String = try row["friendly_name"]
        if !name.isEmpty { json["friendly_name"] = .string(name) }
        json["created_at"] = Timestamp.json(try row["created_at"])
        json["last_used_at"] = (try row["last_used_at"] as Instant?).map(Timestamp.json)
        return .object(json)
    }
}
