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
struct ClientRecord: StoredRecord {
    let id: String
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
    let createdAt: Instant
    var updatedAt: Instant

    static let table = "clients"
    static let columns = [
        "id", "token", "sign_in_id", "sign_up_id", "last_active_session_id", "last_strategy", "trusted_users", "created_at",
        "updated_at",
    ]
}

extension ClientRecord {
    init(row: borrowing SQLiteRow) throws(SQLiteError) {
        id = try row["id"]
        token = ClientToken.header + (try row["token"] as String)
        signInID = try row["sign_in_id"]
        signUpID = try row["sign_up_id"]
        lastActiveSessionID = try row["last_active_session_id"]
        lastStrategy = try row["last_strategy"]
        trustedUsers = (try row["trusted_users"] as StoredJSON).texts
        createdAt = try row["created_at"]
        updatedAt = try row["updated_at"]
    }

    var stored: [any SQLiteConvertible] {
        [
            id, ClientToken.kept(token), signInID, signUpID, lastActiveSessionID, lastStrategy,
            StoredJSON(.strings(trustedUsers)), createdAt, updatedAt,
        ]
    }
}

/// A replaced token of a client, in its grace period.
struct FormerTokenRecord: StoredRecord {
    let token: String
    let clientID: String
    let retiredAt: Instant

    static let table = "client_tokens"
    static let columns = ["token", "client_id", "retired_at"]
}

extension FormerTokenRecord {
    init(row: borrowing SQLiteRow) throws(SQLiteError) {
        token = ClientToken.header + (try row["token"] as String)
        clientID = try row["client_id"]
        retiredAt = try row["retired_at"]
    }

    var stored: [any SQLiteConvertible] { [ClientToken.kept(token), clientID, retiredAt] }
}

/// The client as devices get it (reference, section 2.1).
struct ClientJSON {
    let context: RequestContext
    let audience: TokenAudience

    func client(_ client: ClientRecord) throws -> JSON {
        let repository = ClientRepository(context: context)
        let presenter = SessionJSON(context: context)
        let sessions = try repository.sessions(of: client)
        let signIn = try client.signInID.flatMap { try context.db.find(SignInRecord.self, "id = \($0)") }
        let signUp = try client.signUpID.flatMap { try context.db.find(SignUpRecord.self, "id = \($0)") }
        return [
            "object": "client", "id": .string(client.id),
            "sessions": .array(try sessions.map { try presenter.session($0, audience: audience) }),
            "sign_in": try signIn.map { try SignInJSON(context: context).signIn($0) } ?? .null,
            "sign_up": try signUp.map { try SignUpJSON(context: context).signUp($0) } ?? .null,
            "last_active_session_id": .optional(client.lastActiveSessionID),
            "last_authentication_strategy": .optional(client.lastStrategy), "cookie_expires_at": nil, "captcha_bypass": false,
            "created_at": .time(client.createdAt), "updated_at": .time(client.updatedAt),
        ]
    }
}
