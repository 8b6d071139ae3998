internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// Answers `POST /passkeys/registration/options`.
struct PasskeyRegistrationOptionsEndpoint: Endpoint {
    func answer(_ turn: inout Turn, _ db: inout SQLiteConnection) throws -> EmulatorResponse {
        try turn.askForPasskeys()
        try turn.authenticate(&db)
        try turn.refuseAnonymous()
        try turn.askForPasskeyRights()
        let user = try turn.user()
        let known: [String] = try db.all("SELECT credential_id FROM webauthn_credentials WHERE user_id = \(user.id) ORDER BY row")
        { row throws(SQLiteError) in try row[0] }
        try turn.refuseMorePasskeys(than: known.count)
        let ceremony = WebAuthnCeremony(settings: turn.settings.passkeys)
        return try turn.passkeyAnswer({ ceremony.passkeyCreation(challenge: $0, user, excluding: known) }, of: user.id, &db)
    }
}
