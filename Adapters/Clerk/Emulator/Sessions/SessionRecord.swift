import LockstepPrimitives

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
    init(_ row: inout RowReader) {
        id = row.text()
        clientID = row.optionalText()
        userID = row.text()
        status = SessionStatus(rawValue: row.text()) ?? .ended
        expireAt = row.time()
        abandonAt = row.time()
        lastActiveAt = row.time()
        firstFactorAt = row.optionalTime()
        secondFactorAt = row.optionalTime()
        actor = row.json()
        tasks = row.list()
        reverification = Reverification(stored: row.optionalText())
        userAgent = row.text()
        createdAt = row.time()
        updatedAt = row.time()
    }

    var stored: [StoredValue] {
        [
            .text(id), .text(clientID), .text(userID), .text(status.rawValue), .time(expireAt), .time(abandonAt),
            .time(lastActiveAt),
            .time(firstFactorAt), .time(secondFactorAt), .json(actor), .list(tasks), .text(reverification?.stored),
            .text(userAgent),
            .time(createdAt), .time(updatedAt),
        ]
    }
}
