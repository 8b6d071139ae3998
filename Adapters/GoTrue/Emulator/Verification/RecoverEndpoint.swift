internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// Answers `POST /recover`.
struct RecoverEndpoint: Endpoint {
    static let shape = BodyShape("RecoverParams", [("email", .text), BodyShape.security] + BodyShape.proof)

    func answer(_ context: RequestContext) throws -> EmulatorResponse {
        try context.limits.admit(.recover)
        let body = try Body(of: context.request, as: Self.shape)
        try context.limits.requireCaptcha(body)
        guard context.settings.signIn.allowsEmail else {
            throw GoTrueError.bad(.emailProviderDisabled, "Email logins are disabled")
        }
        guard !body[text: "email"].isEmpty else { throw GoTrueError.invalid("Password recovery requires an email") }
        let address = try Address.email(body[text: "email"])
        let proof = try ProofKey(body)
        guard var user = try context.db.user(email: address, audience: context.audience) else { return .go([:] as JSONObject) }
        if let proof { try context.flows.start("recovery", .recovery, proof, of: user) }
        try context.mailer.sendRecovery(.recovery, to: &user, proof)
        try context.auditLog.record(.recoveryRequested, user)
        return .go([:] as JSONObject)
    }
}
