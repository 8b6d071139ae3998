internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

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
