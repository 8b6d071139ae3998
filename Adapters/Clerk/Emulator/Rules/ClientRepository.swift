internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// The clients of the instance and their tokens.
struct ClientRepository {
    let context: RequestContext

    /// Creates a client with its first token.
    func make() throws -> ClientRecord {
        var client = ClientRecord(
            id: context.id(.client), token: newToken(), createdAt: context.now, updatedAt: context.now)
        client.isNew = true
        try context.db.save(client)
        return client
    }

    /// Returns the client of a token: the current token, or a former one in its grace period.
    func find(token: String) throws -> ClientRecord? {
        guard let kept = ClientToken.kept(token), var client = try find(kept: kept) else { return nil }
        try expire(&client)
        return client
    }

    private func find(kept: String) throws -> ClientRecord? {
        if let client = try context.db.find(ClientRecord.self, "token = \(kept)") { return client }
        guard let former = try context.db.find(FormerTokenRecord.self, "token = \(kept)"),
            context.now < former.retiredAt + context.settings.clientTokenGrace
        else { return nil }
        return try find(id: former.clientID)
    }

    func find(id: String) throws -> ClientRecord? {
        try context.db.find(ClientRecord.self, "id = \(id)")
    }

    /// Creates a new token for the client after a sign-in, so that an attacker who planted the former token gains
    /// nothing.
    func rotate(_ client: inout ClientRecord) throws {
        // The token of a client that this request has created has not reached any device.
        if !client.isNew {
            try context.db.save(FormerTokenRecord(token: client.token, clientID: client.id, retiredAt: context.now))
        }
        client.token = newToken()
        try save(&client)
    }

    func save(_ client: inout ClientRecord) throws {
        client.updatedAt = context.now
        try context.db.save(client)
    }

    /// Returns the sessions that the client shows, the oldest first: all except removed and replaced sessions.
    func sessions(of client: ClientRecord) throws -> [SessionRecord] {
        try context.db.all(
            SessionRecord.self, "client_id = \(client.id) AND status NOT IN ('removed', 'replaced') ORDER BY created_at, rowid")
    }

    /// Selects the new current session after one was removed.
    func settle(_ client: inout ClientRecord) throws {
        let live = try sessions(of: client).filter(\.isLive)
        if let current = client.lastActiveSessionID, live.contains(where: { $0.id.exact == current.exact }) { return }
        client.lastActiveSessionID = live.max { $0.lastActiveAt < $1.lastActiveAt }?.id
        try save(&client)
    }

    /// Ends expired sessions, and abandons unfinished attempts.
    private func expire(_ client: inout ClientRecord) throws {
        var isChanged = false
        for var session in try sessions(of: client) where session.isLive {
            guard session.expireAt <= context.now || session.abandonAt <= context.now else { continue }
            session.status = session.expireAt <= context.now ? .expired : .abandoned
            session.updatedAt = context.now
            try context.db.save(session)
            isChanged = true
        }
        if let id = client.signInID,
            try context.db.find(SignInRecord.self, "id = \(id) AND abandon_at > \(context.now)") == nil
        {
            client.signInID = nil
            isChanged = true
        }
        if let id = client.signUpID,
            try context.db.find(SignUpRecord.self, "id = \(id) AND abandon_at > \(context.now)") == nil
        {
            client.signUpID = nil
            isChanged = true
        }
        if isChanged { try settle(&client) }
        if isChanged { try context.db.save(client) }
    }

    private func newToken() -> String { "\(ClientToken.header)\(ClientToken.claims).\(context.token())" }
}
