internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// The format of client tokens: an opaque text with three parts, because clients check for the dots.
enum ClientToken {
    /// The beginning of every client token, which the database does not store.
    static let header = Base64.encode(#"{"alg":"none","typ":"client"}"#.utf8, .url) + "."

    /// The middle of new tokens, which is empty: many sign-ins create many tokens.
    static let claims = Base64.encode("{}".utf8, .url)

    /// Returns the part of a token that the database stores; `nil` if the text is not a client token.
    static func kept(_ token: String) -> String? {
        token.hasPrefix(header) ? String(token.dropFirst(header.count)) : nil
    }
}

/// One device or browser.
struct ClientRecord: Record {
    var id: String
    /// The token that the device should have; former tokens are in ``FormerTokenRecord``.
    var token: String
    /// Whether the current request has created the client; this value is not stored.
    var isNew = false
    var signInID: String?
    var signUpID: String?
    var lastActiveSessionID: String?
    var lastStrategy: String?
    /// The users who have signed in on the client, and need no further verification of the device.
    var trustedUsers: [String] = []
    var createdAt: Instant
    var updatedAt: Instant
}

extension ClientRecord {
    /// The part of the token that the database stores.
    fileprivate var keptToken: String {
        get { ClientToken.kept(token) ?? "" }
        set { token = ClientToken.header + newValue }
    }

    init() { self.init(id: "", token: "", createdAt: .distantPast, updatedAt: .distantPast) }

    static let table = Table<ClientRecord>(
        "clients",
        [
            Column("id", \.id, .key), Column("token", \.keptToken, .unique), Column("sign_in_id", \.signInID),
            Column("sign_up_id", \.signUpID), Column("last_active_session_id", \.lastActiveSessionID),
            Column("last_strategy", \.lastStrategy), Column("trusted_users", texts: \.trustedUsers, .initially("'[]'")),
            Column("created_at", \.createdAt), Column("updated_at", \.updatedAt),
        ])
}

/// A replaced token of a client, in its grace period.
struct FormerTokenRecord: Record {
    var token: String
    var clientID: String
    var retiredAt: Instant
}

extension FormerTokenRecord {
    /// The part of the token that the database stores.
    fileprivate var keptToken: String {
        get { ClientToken.kept(token) ?? "" }
        set { token = ClientToken.header + newValue }
    }

    init() { self.init(token: "", clientID: "", retiredAt: .distantPast) }

    static let table = Table<FormerTokenRecord>(
        "client_tokens",
        [
            Column("token", \.keptToken, .key), Column("client_id", \.clientID, .belongs(to: "clients")),
            Column("retired_at", \.retiredAt),
        ],
        indexes: [Index("client_tokens_by_client", on: "client_id")], isKeyed: true)
}
