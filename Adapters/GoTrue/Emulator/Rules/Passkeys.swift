internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// The rules of passkeys, and their challenges.
struct Passkeys {
    let context: RequestContext

    /// Rejects the call if the feature is off.
    func requireEnabled() throws {
        guard context.settings.passkeys.isEnabled else { throw GoTrueError.passkeysDisabled }
    }

    /// Adding and deleting passkeys requires the second factor, if there is one; renaming does not.
    func requireRights(of user: User) throws {
        if user.hasVerifiedFactor, context.session?.isSecondFactor != true { throw GoTrueError.secondFactorForPasskeys }
    }

    /// Returns the challenge in a body and uses it up.
    func takeChallenge(_ body: Body, of userID: String?) throws -> String {
        let text = body[text: "challenge_id"]
        guard !text.isEmpty else { throw GoTrueError.invalid("challenge_id is required") }
        guard body["credential"] != nil else { throw GoTrueError.invalid("credential is required") }
        guard let id = UUIDText.normal(text) else { throw GoTrueError.invalid("challenge_id must be a valid UUID") }
        guard let challenge = try context.db.find(PasskeyChallenge.self, "id = \(id)"), challenge.userID?.exact == userID?.exact
        else {
            throw GoTrueError.passkeyChallengeNotFound
        }
        try context.db.delete(PasskeyChallenge.self, "id = \(id)")
        guard context.now < challenge.expiresAt else { throw GoTrueError.passkeyChallengeExpired.kept }
        return challenge.challenge
    }

    /// Creates a challenge, and returns its options.
    func answer(_ options: (String) -> JSONObject, of userID: String?) throws -> EmulatorResponse {
        let challenge = PasskeyChallenge(
            id: context.uuid(), userID: userID, challenge: Base64.encode(context.randomness.bytes(32), .url),
            expiresAt: context.now + .seconds(300))
        try context.db.delete(PasskeyChallenge.self, "expires_at < \(context.now - .seconds(3600))")
        try context.db.insert(challenge)
        let body: JSONObject = [
            "challenge_id": .string(challenge.id), "options": .object(options(challenge.challenge)),
            "expires_at": .int(challenge.expiresAt.seconds),
        ]
        return .go(body)
    }

    func refuseMore(than count: Int) throws(GoTrueError) {
        guard count < context.settings.passkeys.maximum else { throw GoTrueError.tooManyPasskeys.kept }
    }

    /// Oldest first.
    func all(of user: User) throws -> [Passkey] {
        try context.db.all(Passkey.self, "user_id = \(user.id) ORDER BY row")
    }

    /// Returns the passkey in the path, which must belong to the user.
    func passkeyOfPath(_ user: User) throws -> Passkey {
        guard let id = UUIDText.normal(context.request[placeholder: "passkey_id"]),
            let passkey = try context.db.find(Passkey.self, "user_id = \(user.id) AND id = \(id)")
        else { throw GoTrueError.passkeyNotFound }
        return passkey
    }
}
