internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// Answers `POST /passkeys/registration/options`.
struct PasskeyRegistrationOptionsEndpoint: FormerEndpoint {
    func answer(_ context: RequestContext) throws -> EmulatorResponse {
        try context.passkeys.requireEnabled()
        let user = try context.authenticator.requireUser()
        try context.authenticator.refuseAnonymous()
        try context.passkeys.requireRights(of: user)
        let known: [String] = try context.db.all(
            "SELECT credential_id FROM webauthn_credentials WHERE user_id = \(user.id) ORDER BY row"
        ) { row throws(SQLiteError) in try row[0] }
        try context.passkeys.refuseMore(than: known.count)
        let ceremony = WebAuthnCeremony(settings: context.settings.passkeys)
        return try context.passkeys.answer({ ceremony.passkeyCreation(challenge: $0, user, excluding: known) }, of: user.id)
    }
}

/// Answers `POST /passkeys/registration/verify`.
struct PasskeyRegistrationEndpoint: FormerEndpoint {
    func answer(_ context: RequestContext) throws -> EmulatorResponse {
        try context.passkeys.requireEnabled()
        let user = try context.authenticator.requireUser()
        try context.authenticator.refuseAnonymous()
        try context.passkeys.requireRights(of: user)
        let body = try Body(of: context.request, as: Passkeys.shape)
        let challenge = try context.passkeys.takeChallenge(body, of: user.id)
        guard let response = WebAuthnResponse(creation: body["credential"] ?? .null) else {
            return context.response(to: Passkeys.brokenCredential)
        }
        let ceremony = WebAuthnCeremony(settings: context.settings.passkeys)
        guard let credential = ceremony.relyingParty.verify(response, challenge: challenge) else {
            return context.response(to: Passkeys.refusedCredential)
        }
        try context.passkeys.refuseMore(
            than: context.db.value("SELECT count(*) FROM webauthn_credentials WHERE user_id = \(user.id)") ?? 0)
        if try context.db.exists("SELECT 1 FROM webauthn_credentials WHERE credential_id = \(credential.id)") {
            throw GoTrueError(
                status: 500,
                form: .constraint(
                    GoTrueError.Constraint(
                        message: "duplicate key value violates unique constraint \"webauthn_credentials_credential_id_key\"",
                        detail: "Key (credential_id)=(\(credential.id)) already exists.")),
                message: "Database error creating passkey")
        }
        let id = context.uuid()
        try context.db.run(
            "INSERT INTO webauthn_credentials (id, user_id, credential_id, credential, friendly_name, created_at, updated_at) VALUES (\(id), \(user.id), \(credential.id), \(StoredObject(credential.json)), 'Passkey', \(context.now), \(context.now))"
        )
        try context.auditLog.record(.passkeyCreated, user, traits: ["passkey_id": .string(id)])
        let json: JSONObject = [
            "id": .string(id), "friendly_name": "Passkey", "created_at": Timestamp.json(context.now),
        ]
        return .go(json)
    }
}
