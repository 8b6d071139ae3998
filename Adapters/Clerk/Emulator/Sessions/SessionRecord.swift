internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// One user signed in on one client.
struct SessionRecord: StoredRecord {
    let id: String
    /// `nil` for a session that the Backend API made.
    let clientID: String?
    let userID: String
    var status: SessionStatus
    let expireAt: Instant
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
    let userAgent: String
    let createdAt: Instant
    var updatedAt: Instant

    static let table = "sessions"
    static let columns = [
        "id", "client_id", "user_id", "status", "expire_at", "abandon_at", "last_active_at", "first_factor_at",
        "second_factor_at",
        "actor", "tasks", "reverification", "user_agent", "created_at", "updated_at",
    ]

    /// Whether it still belongs to a signed-in user (a pending session with open tasks included).
    var isLive: Bool { status == .active || status == .pending }
}

extension SessionRecord {
    init(row: borrowing SQLiteRow) throws(SQLiteError) {
        id = try row["id"]
        clientID = try row["client_id"]
        userID = try row["user_id"]
        status = SessionStatus(rawValue: try row["status"] as String) ?? .ended
        expireAt = try row["expire_at"]
        abandonAt = try row["abandon_at"]
        lastActiveAt = try row["last_active_at"]
        firstFactorAt = try row["first_factor_at"]
        secondFactorAt = try row["second_factor_at"]
        actor = (try row["actor"] as StoredJSON?)?.value
        tasks = (try row["tasks"] as StoredJSON).texts
        reverification = Reverification(stored: try row["reverification"] as String?)
        userAgent = try row["user_agent"]
        createdAt = try row["created_at"]
        updatedAt = try row["updated_at"]
    }

    var stored: [any SQLiteConvertible] {
        [
            id, clientID, userID, status.rawValue, expireAt, abandonAt,
            lastActiveAt,
            firstFactorAt, secondFactorAt, actor.map(StoredJSON.init), StoredJSON(.strings(tasks)), reverification?.stored,
            userAgent,
            createdAt, updatedAt,
        ]
    }
}

/// The life of a session (reference, section 4.4).
enum SessionStatus: String {
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
