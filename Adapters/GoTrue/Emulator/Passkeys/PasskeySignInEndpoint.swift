internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// Answers `POST /passkeys/authentication/verify`.
struct PasskeySignInEndpoint: Endpoint {
    func answer(_ turn: inout Turn, _ db: inout SQLiteConnection) throws -> EmulatorResponse {
        try turn.askForPasskeys()
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
