internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// Answers `POST /passkeys/authentication/options`.
struct PasskeySignInOptionsEndpoint: FormerEndpoint {
    func answer(_ context: RequestContext) throws -> EmulatorResponse {
        try context.passkeys.requireEnabled()
        try context.limits.admit(.passkey)
        if context.settings.asksForCaptcha {
            let isEmpty = context.request.body.isEmpty
            try context.limits.requireCaptcha(
                isEmpty ? Body() : Body(of: context.request, as: BodySchema.go("PasskeyParams", .security)))
        }
        let ceremony = WebAuthnCeremony(settings: context.settings.passkeys)
        return try context.passkeys.answer({ ceremony.passkeyRequest(challenge: $0) }, of: nil)
    }
}

/// Answers `POST /passkeys/authentication/verify`.
struct PasskeySignInEndpoint: FormerEndpoint {
    func answer(_ context: RequestContext) throws -> EmulatorResponse {
        try context.passkeys.requireEnabled()
        let body = try Body(of: context.request, as: Passkeys.shape)
        let challenge = try context.passkeys.takeChallenge(body, of: nil)
        guard let response = WebAuthnResponse(assertion: body["credential"] ?? .null) else {
            return context.response(to: Passkeys.brokenCredential)
        }
        let found = try context.db.first(
            "SELECT id, user_id, credential FROM webauthn_credentials WHERE credential_id = \(response.id)"
        ) { row throws(SQLiteError) in
            (id: try row[0] as String, owner: try row[1] as String, credential: try (row[2] as StoredObject).object)
        }
        let ceremony = WebAuthnCeremony(settings: context.settings.passkeys)
        guard let found, var user = try context.db.user(id: found.owner), let known = WebAuthnCredential(found.credential),
            var credential = ceremony.relyingParty.verify(response, challenge: challenge, against: known, userID: user.id)
        else { return context.response(to: Passkeys.refusedCredential) }
        if user.isBanned(at: context.now) { return context.response(to: GoTrueError.banned) }
        if !user.email.isEmpty, !user.isEmailConfirmed {
            return context.response(to: GoTrueError.forbidden(.emailNotConfirmed, "Email not confirmed"))
        }
        if user.email.isEmpty, !user.phone.isEmpty, !user.isPhoneConfirmed {
            return context.response(to: GoTrueError.forbidden(.phoneNotConfirmed, "Phone not confirmed"))
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
}
