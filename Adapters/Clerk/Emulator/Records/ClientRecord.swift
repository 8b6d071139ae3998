internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// The form of clients' tokens: opaque, with the three parts of a token, because clients check for the dots.
enum ClientToken {
    /// What every one begins with, and the database does without.
    static let header = Base64.encode(#"{"alg":"none","typ":"client"}"#.utf8, .url) + "."

    /// The middle of new ones, empty: a load of sign-ins keeps many.
    static let claims = Base64.encode("{}".utf8, .url)

    /// The part that the database keeps; `nil` if the text is no token of a client.
    static func kept(_ token: String) -> String? {
        token.hasPrefix(header) ? String(token.dropFirst(header.count)) : nil
    }
}

/// One device or browser.
struct ClientRecord: Record {
    var id: String
    /// The token that the device should hold; former ones are in ``FormerTokenRecord``.
    var token: String
    /// Whether the request under way has made it; not stored.
    var isNew = false
    var signInID: String?
    var signUpID: String?
    var lastActiveSessionID: String?
    var lastStrategy: String?
    /// Who has signed in on it, and is asked for no further proof of the device.
    var trustedUsers: [String] = []
    var createdAt: Instant
    var updatedAt: Instant
}

extension ClientRecord {
    /// The part of the token that the database keeps.
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
    /// The part of the token that the database keeps.
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
