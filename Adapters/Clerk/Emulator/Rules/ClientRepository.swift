internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// The clients of the instance and their tokens.
struct ClientRepository {
    let context: RequestContext

    /// A new client with its first token.
    func make() throws -> ClientRecord {
        var client = ClientRecord(
            id: context.id(.client), token: newToken(), createdAt: context.now, updatedAt: context.now)
        client.isNew = true
        try context.db.save(client)
        return client
    }

    /// The client that a token names: the current token, or a former one in its grace period.
    func find(token: String) throws -> ClientRecord? {
        guard let kept = ClientToken.kept(token), var client = try find(kept: kept) else { return nil }
        try expire(&client)
        return client
    }

    private func find(kept: String) throws -> ClientRecord? {
        if let client = try context.db.find(ClientRecord.self, "token = \(kept)") { return client }
        guard let former = try context.db.find(FormerTokenRecord.self, "token = \(kept)"),
            context.now < former.retiredAt + context.settings.clientTokenGrace
        else { return nil }
        return try find(id: former.clientID)
    }

    func find(id: String) throws -> ClientRecord? {
        try context.db.find(ClientRecord.self, "id = \(id)")
    }

    /// Gives the client a new token, as after every sign-in: an attacker who planted the former one gains nothing.
    func rotate(_ client: inout ClientRecord) throws {
        // The token of a client that this request has made has reached no device.
        if !client.isNew {
            try context.db.save(FormerTokenRecord(token: client.token, clientID: client.id, retiredAt: context.now))
        }
        client.token = newToken()
        try save(&client)
    }

    func save(_ client: inout ClientRecord) throws {
        client.updatedAt = context.now
        try context.db.save(client)
    }

    /// The sessions that the client shows: all but those that were removed or replaced, the oldest first.
    func sessions(of client: ClientRecord) throws -> [SessionRecord] {
        try context.db.all(
            SessionRecord.self, "client_id = \(client.id) AND status NOT IN ('removed', 'replaced') ORDER BY created_at, rowid")
    }

    /// Selects the new current session after one was removed.
    func settle(_ client: inout ClientRecord) throws {
        let live = try sessions(of: client).filter(\.isLive)
        if let current = client.lastActiveSessionID, live.contains(where: { $0.id == current }) { return }
        client.lastActiveSessionID = live.max { $0.lastActiveAt < $1.lastActiveAt }?.id
        try save(&client)
    }

    /// Applies the time: ends sessions, abandons unfinished attempts.
    private func expire(_ client: inout ClientRecord) throws {
        var isChanged = false
        for var session in try sessions(of: client) where session.isLive {
            guard session.expireAt <= context.now || session.abandonAt <= context.now else { continue }
            session.status = session.expireAt <= context.now ? .expired : .abandoned
            session.updatedAt = context.now
            try context.db.save(session)
            isChanged = true
        }
        if let id = client.signInID,
            try context.db.find(SignInRecord.self, "id = \(id) AND abandon_at > \(context.now)") == nil
        {
            client.signInID = nil
            isChanged = true
        }
        if let id = client.signUpID,
            try context.db.find(SignUpRecord.self, "id = \(id) AND abandon_at > \(context.now)") == nil
        {
            client.signUpID = nil
            isChanged = true
        }
        if isChanged { try settle(&client) }
        if isChanged { try context.db.save(client) }
    }

    private func newToken() -> String { "\(ClientToken.header)\(ClientToken.claims).\(context.token())" }
}

/// The form of clients' tokens: opaque, with the three parts of a token, because clients check for the dots.
private enum ClientToken {
    /// What every one begins with, and the database does without.
    static let header = Base64.encode(#"{"alg":"none","typ":"client"}"#.utf8, .url) + "."

    /// The middle of new ones, empty: a load of sign-ins keeps many.
    static let claims = Base64.encode("{}".utf8, .url)

    /// The part that the database keeps; `nil` where the text is no token of a client.
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

/// The client as devices get it (https://clerk.com/docs/reference/frontend-api).
struct ClientJSON {
    let context: RequestContext
    let audience: TokenAudience

    func client(_ client: ClientRecord) throws -> JSON {
        let repository = context.clients
        let presenter = context.sessionJSON
        let sessions = try repository.sessions(of: client)
        let signIn = try client.signInID.flatMap { try context.db.find(SignInRecord.self, "id = \($0)") }
        let signUp = try client.signUpID.flatMap { try context.db.find(SignUpRecord.self, "id = \($0)") }
        return [
            "object": "client", "id": .string(client.id),
            "sessions": .array(try sessions.map { try presenter.session($0, audience: audience) }),
            "sign_in": try signIn.map { try context.signInJSON.signIn($0) } ?? .null,
            "sign_up": try signUp.map { try context.signUpJSON.signUp($0) } ?? .null,
            "last_active_session_id": .optional(client.lastActiveSessionID),
            "last_authentication_strategy": .optional(client.lastStrategy), "cookie_expires_at": nil, "captcha_bypass": false,
            "created_at": .time(client.createdAt), "updated_at": .time(client.updatedAt),
        ]
    }
}
