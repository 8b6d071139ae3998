internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// Answers `POST /recover`.
struct RecoverEndpoint: Endpoint {
    static let shape = BodyShape("RecoverParams", [("email", .text), BodyShape.security] + BodyShape.proof)

    func answer(_ turn: inout Turn, _ db: inout SQLiteConnection) throws -> EmulatorResponse {
        try turn.limit(.recover)
        let body = try Body(of: turn.request, as: Self.shape)
        try turn.askForCaptcha(body)
        guard turn.settings.signIn.allowsEmail else {
            throw GoTrueError.bad(.emailProviderDisabled, "Email logins are disabled")
        }
        guard !body[text: "email"].isEmpty else { throw GoTrueError.invalid("Password recovery requires an email") }
        let address = try Address.email(body[text: "email"])
        let proof = try ProofKey(body)
        guard var user = try db.user(email: address, audience: turn.audience) else { return .go([:] as JSONObject) }
        if let proof { try turn.startFlow("recovery", .recovery, proof, of: user, &db) }
        try turn.sendRecovery(.recovery, to: &user, proof, &db)
        try turn.audit(.recoveryRequested, user, &db)
        return .go([:] as JSONObject)
    }
}
