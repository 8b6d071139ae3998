import LockstepPrimitives

/// One device or browser.
struct ClientRecord: StoredRecord {
    let id: String
    /// The token that the device should hold; former ones are in ``ClientTokenRecord``.
    var token: String
    var signInID: String?
    var signUpID: String?
    var lastActiveSessionID: String?
    var lastStrategy: String?
    let createdAt: Instant
    var updatedAt: Instant

    static let table = "clients"
    static let columns = [
        "id", "token", "sign_in_id", "sign_up_id", "last_active_session_id", "last_strategy", "created_at", "updated_at",
    ]
}

extension ClientRecord {
    init(_ row: inout RowReader) {
        id = row.text()
        token = row.text()
        signInID = row.optionalText()
        signUpID = row.optionalText()
        lastActiveSessionID = row.optionalText()
        lastStrategy = row.optionalText()
        createdAt = row.time()
        updatedAt = row.time()
    }

    var stored: [StoredValue] {
        [
            .text(id), .text(token), .text(signInID), .text(signUpID), .text(lastActiveSessionID), .text(lastStrategy),
            .time(createdAt),
            .time(updatedAt),
        ]
    }
}
