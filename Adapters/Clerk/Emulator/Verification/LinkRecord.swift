internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// A link that was mailed, and what it proves.
struct LinkRecord: StoredRecord {
    enum Purpose: String {
        case signIn = "sign_in"
        case signUp = "sign_up"
        case identification
    }

    let token: String
    /// Names the link to a native app (`flow_id`).
    let flowID: String
    let purpose: Purpose
    /// The sign-in, the sign-up or the address.
    let attemptID: String
    let clientID: String
    let redirectURL: String
    /// The challenge (S256) of a native app; `nil` for a page, which polls instead.
    let challenge: String?
    let expireAt: Instant
    var usedAt: Instant?

    static let table = "links"
    static let columns = [
        "token", "flow_id", "purpose", "attempt_id", "client_id", "redirect_url", "challenge", "expire_at", "used_at",
    ]
}

extension LinkRecord {
    init(row: borrowing SQLiteRow) throws(SQLiteError) {
        token = try row["token"]
        flowID = try row["flow_id"]
        purpose = Purpose(rawValue: try row["purpose"] as String) ?? .identification
        attemptID = try row["attempt_id"]
        clientID = try row["client_id"]
        redirectURL = try row["redirect_url"]
        challenge = try row["challenge"]
        expireAt = try row["expire_at"]
        usedAt = try row["used_at"]
    }

    var stored: [any SQLiteConvertible] {
        [
            token, flowID, purpose.rawValue, attemptID, clientID, redirectURL,
            challenge, expireAt, usedAt,
        ]
    }
}
