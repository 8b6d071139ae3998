internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// The client as devices get it (https://clerk.com/docs/reference/frontend-api).
struct ClientJSON {
    let context: RequestContext
    let audience: TokenAudience

    func client(_ client: ClientRecord) throws -> JSON {
        let repository = context.clients
        let presenter = context.sessionJSON
        let sessions = try repository.sessions(of: client)
        let signIn = try client.signInID.flatMap { try context.db.find(SignInRecord.self, "id = \($0)") }
        let signUp = try client.signUpID.flatMap { try context.db.find(SignUpRecord.self, "id = \($0)") }
        return [
            "object": "client", "id": .string(client.id),
            "sessions": .array(try sessions.map { try presenter.session($0, audience: audience) }),
            "sign_in": try signIn.map { try context.signInJSON.signIn($0) } ?? .null,
            "sign_up": try signUp.map { try context.signUpJSON.signUp($0) } ?? .null,
            "last_active_session_id": .text(client.lastActiveSessionID),
            "last_authentication_strategy": .text(client.lastStrategy), "cookie_expires_at": nil, "captcha_bypass": false,
            "created_at": .time(client.createdAt), "updated_at": .time(client.updatedAt),
        ]
    }
}
