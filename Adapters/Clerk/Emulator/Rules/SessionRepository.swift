internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// The sessions of the instance: how they begin and end.
struct SessionRepository {
    let context: RequestContext

    func find(_ id: String) throws -> SessionRecord? {
        try context.db.find(SessionRecord.self, "id = \(id)")
    }

    /// Signs in `user` on `client`: creates a session, which becomes the current one, and a new client token.
    ///
    /// In single-session mode, it replaces any other session.
    func begin(
        _ user: inout UserRecord, on client: inout ClientRecord, strategy: String, hasSecondFactor: Bool,
        demandsNewPassword: Bool = false,
        actor: JSON? = nil, userAgent: String = "", organizationID: String? = nil
    ) throws -> SessionRecord {
        let repository = context.clients
        for var other in try repository.sessions(of: client) where other.isLive {
            guard context.settings.isSingleSession || other.userID.exact == user.id.exact else { continue }
            other.status = .replaced
            try context.db.save(other)
            // The documented events of sessions have no word for a replaced session.
            try announce(other, SessionStatus.ended.rawValue)
        }
        var session = make(for: user, clientID: client.id, userAgent: userAgent)
        session.firstFactorAt = context.now
        session.secondFactorAt = hasSecondFactor ? context.now : nil
        session.actor = actor
        session.organizationID = organizationID
        if demandsNewPassword { session.tasks.append(SessionTask.resetPassword) }
        if context.settings.organizations.isEnabled, context.settings.organizations.isSelectionForced,
            organizationID == nil
        {
            session.tasks.append(SessionTask.chooseOrganization)
        }
        if !session.tasks.isEmpty { session.status = .pending }
        try context.db.save(session)
        user.lastSignInAt = context.now
        user.lastActiveAt = context.now
        context.lockout.succeed(&user)
        try context.db.save(user)
        if !client.trustedUsers.contains(user.id) { client.trustedUsers.append(user.id) }
        client.lastActiveSessionID = session.id
        client.lastStrategy = strategy
        try repository.rotate(&client)
        try announce(session, "created")
        if session.status == .pending { try announce(session, "pending") }
        return session
    }

    /// Creates a session without a client, as the Backend API does for tests.
    func beginWithoutClient(_ user: UserRecord) throws -> SessionRecord {
        var session = make(for: user, clientID: nil, userAgent: "")
        session.firstFactorAt = context.now
        try context.db.save(session)
        try announce(session, "created")
        return session
    }

    /// Queues a webhook event about a change of a session.
    func announce(_ session: SessionRecord, _ change: String) throws {
        try context.emit("session.\(change)", session.id, context.sessionJSON.bare(session))
    }

    /// Ends a session permanently; `status` contains the cause.
    func end(_ session: inout SessionRecord, _ status: SessionStatus) throws {
        session.status = status
        session.updatedAt = context.now
        try context.db.save(session)
        try announce(session, status.rawValue)
        if let id = session.clientID, var client = try context.clients.find(id: id) {
            try context.clients.settle(&client)
        }
    }

    /// Returns the live sessions of a user on any client, the oldest first.
    func live(of user: UserRecord) throws -> [SessionRecord] {
        try context.db.all(
            SessionRecord.self,
            "user_id = \(user.id) AND status IN ('active', 'pending') AND expire_at > \(context.now) AND abandon_at > \(context.now) ORDER BY created_at, rowid"
        )
    }

    /// Revokes the live sessions of a user, except one.
    func revokeAll(of user: UserRecord, but kept: String? = nil) throws {
        for var session in try live(of: user) where session.id.exact != kept?.exact { try end(&session, .revoked) }
    }

    private func make(for user: UserRecord, clientID: String?, userAgent: String) -> SessionRecord {
        let settings = context.settings
        return SessionRecord(
            id: context.id(.session), clientID: clientID, userID: user.id, status: .active,
            expireAt: context.now + settings.sessionLifetime, abandonAt: context.now + settings.sessionInactivity,
            lastActiveAt: context.now, tasks: [], userAgent: userAgent, createdAt: context.now, updatedAt: context.now)
    }
}
