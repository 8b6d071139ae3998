internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// `grant_type=pkce`: a code and its verifier.
struct ProofGrant: FormerEndpoint {
    static let shape = BodySchema.go("PKCEGrantParams", ["auth_code": .text, "code_verifier": .text])

    func answer(_ context: RequestContext) throws -> EmulatorResponse {
        let body = try Body(of: context.request, as: Self.shape)
        let code = body[text: "auth_code"]
        let verifier = body[text: "code_verifier"]
        guard !code.isEmpty, !verifier.isEmpty else {
            throw GoTrueError.invalid("invalid request: both auth code and code verifier should be non-empty")
        }
        guard let flow = try context.db.flow(code: code), let id = flow.userID, var user = try context.db.user(id: id) else {
            throw GoTrueError.notFound(.flowStateNotFound, "invalid flow state, no valid flow state found")
        }
        guard !flow.isExpired(at: context.now, life: context.settings.flowLife) else {
            throw GoTrueError.unprocessable(.flowStateExpired, "invalid flow state, flow state has expired")
        }
        guard flow.isProven(by: verifier) else {
            throw GoTrueError.bad(.badCodeVerifier, "code challenge does not match previously saved code verifier")
        }
        try context.auditLog.record(.login, user, traits: ["provider_type": .string(flow.provider)])
        var session = try context.sessions.open(for: &user, by: flow.method)
        session.providerToken = flow.providerToken
        session.providerRefreshToken = flow.providerRefreshToken
        try context.db.deleteFlow(id: flow.id)
        return .go(session.json)
    }
}
