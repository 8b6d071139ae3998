internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// A random text that identifies a short-lived value: a step of a redirect, the rotation of a client, a handshake, a
/// dev browser.
struct NonceRecord: Record {
    enum Kind: String, ColumnValue {
        /// The `state` of a redirect to a provider; the subject is the attempt.
        case redirect
        /// `rotating_token_nonce`; the subject is the client.
        case rotation
        /// `__clerk_handshake_nonce`; the payload contains the directives.
        case handshake
        /// A dev browser; the subject is its client, once there is one.
        case devBrowser = "dev_browser"
        /// A code that a server has sent; the subject is the address, and the payload is the code.
        case verification
        /// A site's `__refresh` cookie; the subject is the session, the payload has the site's origin.
        case refresh
        /// The ticket of a connection's test run; the subject is the run.
        case testRun = "test_run"
        /// A testing token.
        case testing
    }

    var nonce: String
    var kind: Kind
    var subject: String?
    var payload: JSONObject
    var expireAt: Instant
}

extension NonceRecord {
    init() { self.init(nonce: "", kind: .testing, payload: [:], expireAt: .distantPast) }

    static let table = Table<NonceRecord>(
        "nonces",
        [
            Column("nonce", \.nonce, .key), Column("kind", \.kind), Column("subject", \.subject),
            Column("payload", \.payload), Column("expire_at", \.expireAt),
        ])
}
