internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// Answers `POST /passkeys/registration/verify`.
struct PasskeyRegistrationEndpoint: Endpoint {
    func answer(_ turn: inout Turn, _ db: inout SQLiteConnection) throws -> EmulatorResponse {
        try turn.askForPasskeys()
        try turn.authenticate(&db)
        try turn.refuseAnonymous()
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
        try turn.refuseMorePasskeys(
            than: db.value("SELECT count(*) FROM webauthn_credentials WHERE user_id = \(user.id)") ?? 0)
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
        try turn.audit(.passkeyCreated, user, &db, traits: ["passkey_id": .string(id)])
        let json: JSONObject = [
            "id": .string(id), "friendly_name": "Passkey", "created_at": Timestamp.json(turn.now),
        ]
        return .go(json)
    }
}
