import LockstepPrimitives

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
    init(_ row: inout RowReader) {
        token = row.text()
        flowID = row.text()
        purpose = Purpose(rawValue: row.text()) ?? .identification
        attemptID = row.text()
        clientID = row.text()
        redirectURL = row.text()
        challenge = row.optionalText()
        expireAt = row.time()
        usedAt = row.optionalTime()
    }

    var stored: [StoredValue] {
        [
            .text(token), .text(flowID), .text(purpose.rawValue), .text(attemptID), .text(clientID), .text(redirectURL),
            .text(challenge), .time(expireAt), .time(usedAt),
        ]
    }
}
