internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// A link in an email, with the object that it verifies.
struct LinkRecord: Record {
    enum Purpose: String, ColumnValue {
        case signIn = "sign_in"
        case signUp = "sign_up"
        case identification
    }

    var token: String
    /// The id of the link for a native app (`flow_id`).
    var flowID: String
    var purpose: Purpose
    /// The sign-in, the sign-up or the address.
    var attemptID: String
    var clientID: String
    var redirectURL: String
    /// The challenge (S256) of a native app; `nil` for a web page, which polls instead.
    var challenge: String?
    var expireAt: Instant
    var usedAt: Instant?
}

extension LinkRecord {
    init() {
        self.init(
            token: "", flowID: "", purpose: .identification, attemptID: "", clientID: "", redirectURL: "", expireAt: .distantPast)
    }

    static let table = Table<LinkRecord>(
        "links",
        [
            Column("token", \.token, .key), Column("flow_id", \.flowID, .unique), Column("purpose", \.purpose),
            Column("attempt_id", \.attemptID), Column("client_id", \.clientID), Column("redirect_url", \.redirectURL),
            Column("challenge", \.challenge), Column("expire_at", \.expireAt), Column("used_at", \.usedAt),
        ])
}
