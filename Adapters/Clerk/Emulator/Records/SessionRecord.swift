internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// One user signed in on one client.
struct SessionRecord: Record {
    var id: String
    /// The client; `nil` for a session that the Backend API created.
    var clientID: String?
    var userID: String
    var status: SessionStatus
    var expireAt: Instant
    var abandonAt: Instant
    var lastActiveAt: Instant
    /// The time of the last verification with the first factor.
    var firstFactorAt: Instant?
    /// The time of the last verification with the second factor.
    var secondFactorAt: Instant?
    /// The actor, if another user acts as this one.
    var actor: JSON?
    /// The tasks that the user must finish before a pending session becomes active.
    var tasks: [String]
    var reverification: Reverification?
    var userAgent: String
    var createdAt: Instant
    var updatedAt: Instant
    /// The active organization; `nil` for the user's personal account.
    var organizationID: String?

    /// Whether the session still belongs to a signed-in user; this includes a pending session with open tasks.
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

/// A task that a user must complete before a pending session becomes active
/// (https://clerk.com/docs/reference/frontend-api).
enum SessionTask {
    static let resetPassword = "reset-password"
    static let chooseOrganization = "choose-organization"
}

/// The status of a session (https://clerk.com/docs/reference/frontend-api).
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

    /// The required factors; a user without a second factor needs only the first one.
    let level: Level
    var status: Status
    var first: Verification?
    var second: Verification?
}
