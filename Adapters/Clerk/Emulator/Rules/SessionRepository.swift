internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// The sessions of the instance: how they begin and end.
struct SessionRepository {
    let context: RequestContext

    func find(_ id: String) throws -> SessionRecord? {
        try context.db.find(SessionRecord.self, "id = \(id)")
    }

    /// Signs `user` in on `client`: a session, which becomes the current one, and a new client token.
    ///
    /// In single-session mode it replaces any other.
    func begin(
        _ user: inout UserRecord, on client: inout ClientRecord, strategy: String, hasSecondFactor: Bool,
        demandsNewPassword: Bool = false,
        actor: JSON? = nil, userAgent: String = "", organizationID: String? = nil
    ) throws -> SessionRecord {
        let repository = context.clients
        for var other in try repository.sessions(of: client) where other.isLive {
            guard context.settings.isSingleSession || other.userID == user.id else { continue }
            other.status = .replaced
            try context.db.save(other)
            // The documented events of sessions have no word for one that another has replaced.
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

    /// A session without a client, as the Backend API makes it for tests.
    func beginWithoutClient(_ user: UserRecord) throws -> SessionRecord {
        var session = make(for: user, clientID: nil, userAgent: "")
        session.firstFactorAt = context.now
        try context.db.save(session)
        try announce(session, "created")
        return session
    }

    /// Tells the webhook what has become of a session.
    func announce(_ session: SessionRecord, _ change: String) throws {
        try context.emit("session.\(change)", session.id, context.sessionJSON.bare(session))
    }

    /// Ends a session for good; `status` names the cause.
    func end(_ session: inout SessionRecord, _ status: SessionStatus) throws {
        session.status = status
        session.updatedAt = context.now
        try context.db.save(session)
        try announce(session, status.rawValue)
        if let id = session.clientID, var client = try context.clients.find(id: id) {
            try context.clients.settle(&client)
        }
    }

    /// The live sessions of a user, on any client, the oldest first.
    func live(of user: UserRecord) throws -> [SessionRecord] {
        try context.db.all(
            SessionRecord.self,
            "user_id = \(user.id) AND status IN ('active', 'pending') AND expire_at > \(context.now) AND abandon_at > \(context.now) ORDER BY created_at, rowid"
        )
    }

    /// Revokes the live sessions of a user, but for one.
    func revokeAll(of user: UserRecord, but kept: String? = nil) throws {
        for var session in try live(of: user) where session.id != kept { try end(&session, .revoked) }
    }

    private func make(for user: UserRecord, clientID: String?, userAgent: String) -> SessionRecord {
        let settings = context.settings
        return SessionRecord(
            id: context.id(.session), clientID: clientID, userID: user.id, status: .active,
            expireAt: context.now + settings.sessionLifetime, abandonAt: context.now + settings.sessionInactivity,
            lastActiveAt: context.now, tasks: [], userAgent: userAgent, createdAt: context.now, updatedAt: context.now)
    }
}

/// One user signed in on one client.
struct SessionRecord: Record {
    var id: String
    /// `nil` for a session that the Backend API made.
    var clientID: String?
    var userID: String
    var status: SessionStatus
    var expireAt: Instant
    var abandonAt: Instant
    var lastActiveAt: Instant
    /// When the first factor was last proven.
    var firstFactorAt: Instant?
    /// When the second factor was last proven.
    var secondFactorAt: Instant?
    /// The actor, where another user acts as this one.
    var actor: JSON?
    /// The tasks that the user must finish before a pending session becomes active.
    var tasks: [String]
    var reverification: Reverification?
    var userAgent: String
    var createdAt: Instant
    var updatedAt: Instant
    /// The active organization; `nil` for the user's personal account.
    var organizationID: String?

    /// Whether it still belongs to a signed-in user (a pending session with open tasks included).
    var isLive: Bool { status == .active || status == .pending }
}

extension SessionRecord {
    /// Marks a task as done; after the last one the session is active.
    mutating func finish(_ task: String) {
        tasks.removeAll { $0 == task }
        if tasks.isEmpty, status == .pending { status = .active }
    }

    init() {
        self.init(
            id: "", userID: "", status: .ended, expireAt: .distantPast, abandonAt: .distantPast, lastActiveAt: .distantPast,
            tasks: [], userAgent: "", createdAt: .distantPast, updatedAt: .distantPast)
    }

    static let table = Table<SessionRecord>(
        "sessions",
        [
            Column("id", \.id, .key), Column("client_id", \.clientID, .belongs(to: "clients")),
            Column("user_id", \.userID, .belongs(to: "users")), Column("status", \.status), Column("expire_at", \.expireAt),
            Column("abandon_at", \.abandonAt), Column("last_active_at", \.lastActiveAt),
            Column("first_factor_at", \.firstFactorAt), Column("second_factor_at", \.secondFactorAt),
            Column("actor", \.actor), Column("tasks", texts: \.tasks), Column("reverification", \.reverification),
            Column("user_agent", \.userAgent), Column("created_at", \.createdAt), Column("updated_at", \.updatedAt),
            Column("organization_id", \.organizationID),
        ],
        indexes: [Index("sessions_by_client", on: "client_id"), Index("sessions_by_user", on: "user_id")])
}

/// What a user must do before a pending session becomes active (https://clerk.com/docs/reference/frontend-api).
enum SessionTask {
    static let resetPassword = "reset-password"
    static let chooseOrganization = "choose-organization"
}

/// The life of a session (https://clerk.com/docs/reference/frontend-api).
enum SessionStatus: String, ColumnValue {
    case active, pending, ended, removed, expired, abandoned, revoked, replaced
}

/// The reverification of a session before a sensitive call.
struct Reverification: JSONColumn {
    enum Level: String, Codable {
        case firstFactor = "first_factor"
        case secondFactor = "second_factor"
        case multiFactor = "multi_factor"
    }

    enum Status: String, Codable {
        case needsFirstFactor = "needs_first_factor"
        case needsSecondFactor = "needs_second_factor"
        case complete
    }

    /// The required factors; a user without a second factor needs the first only.
    let level: Level
    var status: Status
    var first: Verification?
    var second: Verification?
}

/// Sessions as both APIs show them.
struct SessionJSON {
    let context: RequestContext

    /// A session with its user and a fresh token, as the Frontend API shows it.
    func session(_ session: SessionRecord, audience: TokenAudience) throws -> JSON {
        var json = common(session)
        let user = try context.users.find(session.userID)
        let users = context.userJSON
        var rest: JSONObject = [
            "user": try user.map { try users.user($0) } ?? .null,
            "public_user_data": try user.map { try users.publicData($0) } ?? .null,
            "factor_verification_age": age(session), "created_at": .time(session.createdAt),
            "updated_at": .time(session.updatedAt),
            "last_active_token": nil,
        ]
        if session.isLive, let user {
            rest["last_active_token"] = [
                "object": "token",
                "jwt": .string(try context.sessionTokens.token(of: session, user: user, audience: audience)),
            ]
        }
        if session.status == .pending { rest["tasks"] = .array(session.tasks.map { ["key": .string($0)] }) }
        for (name, value) in rest { json[name] = value }
        return .object(json)
    }

    /// A session in the list of devices.
    func device(_ session: SessionRecord, audience: TokenAudience) throws -> JSON {
        guard case .object(var json) = try self.session(session, audience: audience) else { return .null }
        json["latest_activity"] = activity(session)
        return .object(json)
    }

    /// A session as the Backend API shows it: ids instead of the user.
    func bare(_ session: SessionRecord) -> JSON {
        var json = common(session)
        json["client_id"] = .string(session.clientID ?? "")
        json["user_id"] = .string(session.userID)
        json["latest_activity"] = activity(session)
        json["tasks"] = session.status == .pending ? .array(session.tasks.map { ["key": .string($0)] }) : .null
        json["created_at"] = .time(session.createdAt)
        json["updated_at"] = .time(session.updatedAt)
        return .object(json)
    }

    /// Minutes since the first and the second factor were proven; -1 for never.
    func age(_ session: SessionRecord) -> JSON {
        let minutes = [session.firstFactorAt, session.secondFactorAt].map { proven in
            proven.map { max(0, (context.now - $0).milliseconds / 60000) } ?? -1
        }
        return .array(minutes.map { .int($0) })
    }

    private func common(_ session: SessionRecord) -> JSONObject {
        [
            "object": "session", "id": .string(session.id), "status": .string(session.status.rawValue),
            "expire_at": .time(session.expireAt), "abandon_at": .time(session.abandonAt),
            "last_active_at": .time(session.lastActiveAt), "last_active_organization_id": .optional(session.organizationID),
            "actor": session.actor ?? .null,
        ]
    }

    private func activity(_ session: SessionRecord) -> JSON {
        [
            "object": "session_activity", "id": .string("sess_activity_" + session.id.dropFirst(5)),
            "device_type": .string(session.userAgent.isEmpty ? "unknown" : String(session.userAgent.prefix(60))),
            "is_mobile": false, "ip_address": "127.0.0.1",
        ]
    }
}
