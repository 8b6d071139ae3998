import LockstepPrimitives

/// `/v1/clients`.
struct BackendClientRoutes {
    let call: BackendCall

    private var exchange: Exchange { call.exchange }
    private var book: ClientBook { ClientBook(exchange: exchange) }

    func list() throws -> BackendAnswer {
        let (limit, offset) = try call.page()
        let clients = try call.store.all(
            ClientRecord.self, "1 = 1 ORDER BY created_at DESC, rowid DESC LIMIT ? OFFSET ?", .number(limit), .number(offset))
        let total = try call.store.count(ClientRecord.self, "1 = 1")
        return .resource(call.list(try clients.map { try json($0) }, total: total))
    }

    func get() throws -> BackendAnswer {
        let id = call.piece("client_id")
        guard let client = try book.find(id: id) else { throw ClerkError.notFound(id) }
        return .resource(try json(client))
    }

    /// The client that a client token names.
    func verify() throws -> BackendAnswer {
        try call.fields.check(["token"])
        guard let client = try book.find(token: try call.fields.required("token")) else { throw ClerkError.notFound("client") }
        return .resource(try json(client))
    }

    /// Exchanges a handshake's nonce for its cookies, once.
    func handshake() throws -> BackendAnswer {
        let nonce = try call.query.required("nonce")
        guard let row = try call.store.find(NonceRecord.self, "nonce = ? AND kind = 'handshake'", .text(nonce)),
            row.expireAt > exchange.now
        else { throw ClerkError.notFound(nonce) }
        try call.store.run("DELETE FROM nonces WHERE nonce = ?", .text(nonce))
        return .resource(["directives": row.payload["directives"] ?? []])
    }

    private func json(_ client: ClientRecord) throws -> JSON {
        let sessions = try book.sessions(of: client)
        return [
            "object": "client", "id": .string(client.id), "session_ids": .strings(sessions.map(\.id)),
            "sessions": .array(sessions.map { SessionJSON(exchange: exchange).bare($0) }),
            "sign_in_id": .optional(client.signInID),
            "sign_up_id": .optional(client.signUpID), "last_active_session_id": .optional(client.lastActiveSessionID),
            "last_authentication_strategy": .optional(client.lastStrategy), "created_at": .time(client.createdAt),
            "updated_at": .time(client.updatedAt),
        ]
    }
}
