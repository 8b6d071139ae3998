import LockstepPrimitives

/// The sessions of the instance: how they begin and end.
struct SessionBook {
    let exchange: Exchange

    private var store: Store { exchange.store }

    func find(_ id: String) throws -> SessionRecord? {
        try store.find(SessionRecord.self, "id = ?", .text(id))
    }

    /// Signs `user` in on `client`: a session, which becomes the current one, and a new client token.
    ///
    /// In single-session mode it replaces any other.
    func begin(
        _ user: inout UserRecord, on client: inout ClientRecord, strategy: String, hasSecondFactor: Bool,
        demandsNewPassword: Bool = false,
        actor: JSON? = nil, userAgent: String = ""
    ) throws -> SessionRecord {
        let book = ClientBook(exchange: exchange)
        for var other in try book.sessions(of: client) where other.isLive {
            guard exchange.settings.isSingleSession || other.userID == user.id else { continue }
            other.status = .replaced
            try store.save(other)
        }
        var session = make(for: user, clientID: client.id, userAgent: userAgent)
        session.firstFactorAt = exchange.now
        session.secondFactorAt = hasSecondFactor ? exchange.now : nil
        session.actor = actor
        if demandsNewPassword {
            session.status = .pending
            session.tasks = ["reset-password"]
        }
        try store.save(session)
        user.lastSignInAt = exchange.now
        user.lastActiveAt = exchange.now
        Lockout(exchange: exchange).succeed(&user)
        try store.save(user)
        try store.run("INSERT OR IGNORE INTO trusted_clients VALUES (?, ?)", .text(client.id), .text(user.id))
        client.lastActiveSessionID = session.id
        client.lastStrategy = strategy
        try book.rotate(&client)
        return session
    }

    /// A session without a client, as the Backend API makes it for tests.
    func beginWithoutClient(_ user: UserRecord) throws -> SessionRecord {
        var session = make(for: user, clientID: nil, userAgent: "")
        session.firstFactorAt = exchange.now
        try store.save(session)
        return session
    }

    /// Ends a session for good; `status` names the cause.
    func end(_ session: inout SessionRecord, _ status: SessionStatus) throws {
        session.status = status
        session.updatedAt = exchange.now
        try store.save(session)
        if let id = session.clientID, var client = try ClientBook(exchange: exchange).find(id: id) {
            try ClientBook(exchange: exchange).settle(&client)
        }
    }

    /// The live sessions of a user, on any client, the oldest first.
    func live(of user: UserRecord) throws -> [SessionRecord] {
        try store.all(
            SessionRecord.self,
            "user_id = ? AND status IN ('active', 'pending') AND expire_at > ? AND abandon_at > ? ORDER BY created_at, rowid",
            .text(user.id), .time(exchange.now), .time(exchange.now))
    }

    /// Revokes the live sessions of a user, but for one.
    func revokeAll(of user: UserRecord, but kept: String? = nil) throws {
        for var session in try live(of: user) where session.id != kept { try end(&session, .revoked) }
    }

    private func make(for user: UserRecord, clientID: String?, userAgent: String) -> SessionRecord {
        let settings = exchange.settings
        return SessionRecord(
            id: exchange.id(.session), clientID: clientID, userID: user.id, status: .active,
            expireAt: exchange.now + settings.sessionLifetime, abandonAt: exchange.now + settings.sessionInactivity,
            lastActiveAt: exchange.now, tasks: [], userAgent: userAgent, createdAt: exchange.now, updatedAt: exchange.now)
    }
}
