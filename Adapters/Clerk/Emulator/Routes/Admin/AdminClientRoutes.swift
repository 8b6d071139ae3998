import LockstepPrimitives

/// `/v1/clients`.
struct AdminClientRoutes {
    let context: RequestContext

    func list() throws -> Answer {
        let (clients, total) = try context.page(of: ClientRecord.self)
        return .resource(context.list(try clients.map { try json($0) }, total: total))
    }

    func get() throws -> Answer {
        let id = context.piece("client_id")
        guard let client = try context.clients.find(id: id) else { throw ClerkError.notFound(id) }
        return .resource(try json(client))
    }

    /// Returns the client of a client token.
    func verify() throws -> Answer {
        guard let client = try context.clients.find(token: try context.fields.required("token")) else {
            throw ClerkError.notFound("client")
        }
        return .resource(try json(client))
    }

    /// Exchanges a handshake's nonce for its cookies; this works once.
    func handshake() throws -> Answer {
        let nonce = try context.query.required("nonce")
        guard let row = try context.db.find(NonceRecord.self, "nonce = \(nonce) AND kind = 'handshake'"),
            row.expireAt > context.now
        else { throw ClerkError.notFound(nonce) }
        try context.db.run("DELETE FROM nonces WHERE nonce = \(nonce)")
        return .resource(["directives": row.payload["directives"] ?? []])
    }

    private func json(_ client: ClientRecord) throws -> JSON {
        let sessions = try context.clients.sessions(of: client)
        return [
            "object": "client", "id": .string(client.id), "session_ids": .strings(sessions.map(\.id)),
            "sessions": .array(sessions.map { context.sessionJSON.bare($0) }),
            "sign_in_id": .text(client.signInID),
            "sign_up_id": .text(client.signUpID), "last_active_session_id": .text(client.lastActiveSessionID),
            "last_authentication_strategy": .text(client.lastStrategy), "created_at": .time(client.createdAt),
            "updated_at": .time(client.updatedAt),
        ]
    }
}
