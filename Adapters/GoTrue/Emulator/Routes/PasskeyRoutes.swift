internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// The routes for passkeys: those of the signed-in user, and the sign-in with a passkey.
struct PasskeyRoutes {
    let context: RequestContext

    static let body = BodySchema.go("PasskeyParams", ["challenge_id": .text, "credential": .anything])
    static let signInBody = BodySchema.go("PasskeyParams", .security)
    static let nameBody = BodySchema.go("PasskeyUpdateParams", ["friendly_name": .text])

    /// Handles `POST /passkeys/registration/options`.
    func beginRegistration() throws -> EmulatorResponse {
        let user = try context.user
        try context.passkeys.requireRights(of: user)
        let known = try context.passkeys.all(of: user).map(\.credentialID)
        try context.passkeys.refuseMore(than: known.count)
        let ceremony = WebAuthnCeremony(settings: context.settings.passkeys)
        return try context.passkeys.answer({ ceremony.passkeyCreation(challenge: $0, user, excluding: known) }, of: user.id)
    }

    /// Handles `POST /passkeys/registration/verify`.
    func register() throws -> EmulatorResponse {
        let user = try context.user
        try context.passkeys.requireRights(of: user)
        let body = try context.body
        let challenge = try context.passkeys.takeChallenge(body, of: user.id)
        guard let response = WebAuthnResponse(creation: body["credential"] ?? .null) else {
            throw GoTrueError.brokenCredential.kept
        }
        let ceremony = WebAuthnCeremony(settings: context.settings.passkeys)
        guard let credential = ceremony.relyingParty.verify(response, challenge: challenge) else {
            throw GoTrueError.refusedCredential.kept
        }
        try context.passkeys.refuseMore(than: context.db.count(Passkey.self, "user_id = \(user.id)"))
        if try context.db.count(Passkey.self, "credential_id = \(credential.id)") > 0 {
            throw GoTrueError.duplicate(
                "webauthn_credentials_credential_id_key", "credential_id", credential.id, "Database error creating passkey")
        }
        let passkey = Passkey(
            id: context.uuid(), userID: user.id, credentialID: credential.id, credential: credential.json, name: "Passkey",
            createdAt: context.now, updatedAt: context.now)
        try context.db.insert(passkey)
        try context.auditLog.record(.passkeyCreated, user, traits: ["passkey_id": .string(passkey.id)])
        return .go(passkey.json)
    }

    /// Handles `POST /passkeys/authentication/options`.
    func beginSignIn() throws -> EmulatorResponse {
        try context.limits.admit(.passkey)
        if context.settings.asksForCaptcha { try context.limits.requireCaptcha(context.bodyIfSent) }
        let ceremony = WebAuthnCeremony(settings: context.settings.passkeys)
        return try context.passkeys.answer({ ceremony.passkeyRequest(challenge: $0) }, of: nil)
    }

    /// Handles `POST /passkeys/authentication/verify`.
    func signIn() throws -> EmulatorResponse {
        let body = try context.body
        let challenge = try context.passkeys.takeChallenge(body, of: nil)
        guard let response = WebAuthnResponse(assertion: body["credential"] ?? .null) else {
            throw GoTrueError.brokenCredential.kept
        }
        let ceremony = WebAuthnCeremony(settings: context.settings.passkeys)
        guard var passkey = try context.db.find(Passkey.self, "credential_id = \(response.id)"),
            var user = try context.db.user(id: passkey.userID), let known = WebAuthnCredential(passkey.credential),
            var credential = ceremony.relyingParty.verify(response, challenge: challenge, against: known, userID: user.id)
        else { throw GoTrueError.refusedCredential.kept }
        if user.isBanned(at: context.now) { throw GoTrueError.banned.kept }
        if !user.email.isEmpty, !user.isEmailConfirmed { throw GoTrueError.emailUnconfirmedForPasskey.kept }
        if user.email.isEmpty, !user.phone.isEmpty, !user.isPhoneConfirmed { throw GoTrueError.phoneUnconfirmedForPasskey.kept }
        // A decreased count is a warning in the real server's library, but the server ignores it. The larger count
        // stays (go-webauthn, `Authenticator.UpdateCounter`).
        credential.count = max(credential.count, known.count)
        passkey.credential = credential.json
        passkey.lastUsedAt = context.now
        passkey.updatedAt = context.now
        try context.db.update(passkey)
        try context.auditLog.record(.login, user, traits: ["provider": "passkey"])
        return .go(try context.sessions.open(for: &user, by: .passkey).json)
    }

    /// Handles `GET /passkeys`.
    func list() throws -> EmulatorResponse {
        .go(.array(try context.passkeys.all(of: context.user).map { .object($0.json) }))
    }

    /// Handles `PATCH /passkeys/{passkey_id}`.
    func rename() throws -> EmulatorResponse {
        let user = try context.user
        guard UUIDText.normal(context.request[placeholder: "passkey_id"]) != nil else { throw GoTrueError.passkeyNotFound }
        let name = try context.body[text: "friendly_name"]
        guard !name.isEmpty else { throw GoTrueError.invalid("friendly_name is required") }
        guard name.unicodeScalars.count <= 120 else { throw GoTrueError.invalid("friendly_name must be 120 characters or less") }
        var passkey = try context.passkeys.passkeyOfPath(user)
        passkey.name = name
        passkey.updatedAt = context.now
        try context.db.update(passkey)
        try context.auditLog.record(.passkeyUpdated, user, traits: ["passkey_id": .string(passkey.id)])
        return .go(passkey.json)
    }

    /// Handles `DELETE /passkeys/{passkey_id}`.
    func delete() throws -> EmulatorResponse {
        let user = try context.user
        try context.passkeys.requireRights(of: user)
        let passkey = try context.passkeys.passkeyOfPath(user)
        try context.db.delete(Passkey.self, "id = \(passkey.id)")
        try context.auditLog.record(.passkeyDeleted, user, traits: ["passkey_id": .string(passkey.id)])
        return .empty()
    }
}
