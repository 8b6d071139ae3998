internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// The routes of passkeys: those of the signed-in user, and the sign-in with one.
struct PasskeyRoutes {
    let context: RequestContext

    static let body = BodySchema.go("PasskeyParams", ["challenge_id": .text, "credential": .anything])
    static let signInBody = BodySchema.go("PasskeyParams", .security)
    static let nameBody = BodySchema.go("PasskeyUpdateParams", ["friendly_name": .text])

    /// Answers `POST /passkeys/registration/options`.
    func beginRegistration() throws -> EmulatorResponse {
        let user = try context.user
        try context.passkeys.requireRights(of: user)
        let known: [String] = try context.db.all(
            "SELECT credential_id FROM webauthn_credentials WHERE user_id = \(user.id) ORDER BY row"
        ) { row throws(SQLiteError) in try row[0] }
        try context.passkeys.refuseMore(than: known.count)
        let ceremony = WebAuthnCeremony(settings: context.settings.passkeys)
        return try context.passkeys.answer({ ceremony.passkeyCreation(challenge: $0, user, excluding: known) }, of: user.id)
    }

    /// Answers `POST /passkeys/registration/verify`.
    func register() throws -> EmulatorResponse {
        let user = try context.user
        try context.passkeys.requireRights(of: user)
        let body = try context.body
        let challenge = try context.passkeys.takeChallenge(body, of: user.id)
        guard let response = WebAuthnResponse(creation: body["credential"] ?? .null) else {
            throw Passkeys.brokenCredential.kept
        }
        let ceremony = WebAuthnCeremony(settings: context.settings.passkeys)
        guard let credential = ceremony.relyingParty.verify(response, challenge: challenge) else {
            throw Passkeys.refusedCredential.kept
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

    /// Answers `POST /passkeys/authentication/options`.
    func beginSignIn() throws -> EmulatorResponse {
        try context.limits.admit(.passkey)
        if context.settings.asksForCaptcha { try context.limits.requireCaptcha(context.bodyIfSent) }
        let ceremony = WebAuthnCeremony(settings: context.settings.passkeys)
        return try context.passkeys.answer({ ceremony.passkeyRequest(challenge: $0) }, of: nil)
    }

    /// Answers `POST /passkeys/authentication/verify`.
    func signIn() throws -> EmulatorResponse {
        let body = try context.body
        let challenge = try context.passkeys.takeChallenge(body, of: nil)
        guard let response = WebAuthnResponse(assertion: body["credential"] ?? .null) else {
            throw Passkeys.brokenCredential.kept
        }
        let found = try context.db.first(
            "SELECT id, user_id, credential FROM webauthn_credentials WHERE credential_id = \(response.id)"
        ) { row throws(SQLiteError) in
            (id: try row[0] as String, owner: try row[1] as String, credential: try (row[2] as StoredObject).object)
        }
        let ceremony = WebAuthnCeremony(settings: context.settings.passkeys)
        guard let found, var user = try context.db.user(id: found.owner), let known = WebAuthnCredential(found.credential),
            var credential = ceremony.relyingParty.verify(response, challenge: challenge, against: known, userID: user.id)
        else { throw Passkeys.refusedCredential.kept }
        if user.isBanned(at: context.now) { throw GoTrueError.banned.kept }
        if !user.email.isEmpty, !user.isEmailConfirmed {
            throw GoTrueError.forbidden(.emailNotConfirmed, "Email not confirmed").kept
        }
        if user.email.isEmpty, !user.phone.isEmpty, !user.isPhoneConfirmed {
            throw GoTrueError.forbidden(.phoneNotConfirmed, "Phone not confirmed").kept
        }
        // A count that goes back is a warning to the real server's library, which the server does not look at; the larger count stays
        // (go-webauthn, `Authenticator.UpdateCounter`).
        credential.count = max(credential.count, known.count)
        try context.db.run(
            "UPDATE webauthn_credentials SET credential = \(StoredObject(credential.json)), last_used_at = \(context.now), updated_at = \(context.now) WHERE id = \(found.id)"
        )
        try context.auditLog.record(.login, user, traits: ["provider": "passkey"])
        return .go(try context.sessions.open(for: &user, by: .passkey).json)
    }

    /// Answers `GET /passkeys`.
    func list() throws -> EmulatorResponse { .go(.array(try PasskeyList(context: context, userID: context.user.id).all())) }

    /// Answers `PATCH /passkeys/{passkey_id}`.
    func rename() throws -> EmulatorResponse {
        let user = try context.user
        let list = PasskeyList(context: context, userID: user.id)
        guard let id = UUIDText.normal(context.request[placeholder: "passkey_id"]) else { throw PasskeyList.notFound }
        let name = try context.body[text: "friendly_name"]
        guard !name.isEmpty else { throw GoTrueError.invalid("friendly_name is required") }
        guard name.unicodeScalars.count <= 120 else { throw GoTrueError.invalid("friendly_name must be 120 characters or less") }
        _ = try list.one(id)
        try context.db.run(
            "UPDATE webauthn_credentials SET friendly_name = \(name), updated_at = \(context.now) WHERE id = \(id)")
        try context.auditLog.record(.passkeyUpdated, user, traits: ["passkey_id": .string(id)])
        return .go(try list.one(id))
    }

    /// Answers `DELETE /passkeys/{passkey_id}`.
    func delete() throws -> EmulatorResponse {
        let user = try context.user
        try context.passkeys.requireRights(of: user)
        let id = try PasskeyList(context: context, userID: user.id).deleteOfPath()
        try context.auditLog.record(.passkeyDeleted, user, traits: ["passkey_id": .string(id)])
        return .empty()
    }
}
