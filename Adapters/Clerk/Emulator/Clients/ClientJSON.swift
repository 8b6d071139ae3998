import LockstepPrimitives

/// The client as devices get it (reference, section 2.1).
struct ClientJSON {
    let exchange: Exchange
    let audience: TokenAudience

    func client(_ client: ClientRecord) throws -> JSON {
        let book = ClientBook(exchange: exchange)
        let presenter = SessionJSON(exchange: exchange)
        let sessions = try book.sessions(of: client)
        let signIn = try client.signInID.flatMap { try exchange.store.find(SignInRecord.self, "id = ?", .text($0)) }
        let signUp = try client.signUpID.flatMap { try exchange.store.find(SignUpRecord.self, "id = ?", .text($0)) }
        return [
            "object": "client", "id": .string(client.id),
            "sessions": .array(try sessions.map { try presenter.session($0, audience: audience) }),
            "sign_in": try signIn.map { try SignInJSON(exchange: exchange).signIn($0) } ?? .null,
            "sign_up": signUp.map { SignUpJSON(exchange: exchange).signUp($0) } ?? .null,
            "last_active_session_id": .optional(client.lastActiveSessionID),
            "last_authentication_strategy": .optional(client.lastStrategy), "cookie_expires_at": nil, "captcha_bypass": false,
            "created_at": .time(client.createdAt), "updated_at": .time(client.updatedAt),
        ]
    }
}
