internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// A random text that identifies a short-lived value: a step of a redirect, a client to be rotated, a handshake, a dev browser.
struct NonceRecord: StoredRecord {
    enum Kind: String {
        /// `state` of a redirect to a provider; the subject is the attempt.
        case redirect
        /// `rotating_token_nonce`; the subject is the client.
        case rotation
        /// `__clerk_handshake_nonce`; the payload holds the directives.
        case handshake
        /// A dev browser; the subject is its client, once there is one.
        case devBrowser = "dev_browser"
        /// A testing token.
        case testing
    }

    let nonce: String
    let kind: Kind
    var subject: String?
    var payload: JSONObject
    let expireAt: Instant

    static let table = "nonces"
    static let columns = ["nonce", "kind", "subject", "payload", "expire_at"]
}

extension NonceRecord {
    init(row: borrowing SQLiteRow) throws(SQLiteError) {
        nonce = try row["nonce"]
        kind = Kind(rawValue: try row["kind"] as String) ?? .testing
        subject = try row["subject"]
        payload = (try row["payload"] as StoredJSON).object
        expireAt = try row["expire_at"]
    }

    var stored: [any SQLiteConvertible] { [nonce, kind.rawValue, subject, StoredJSON(.object(payload)), expireAt] }
}
