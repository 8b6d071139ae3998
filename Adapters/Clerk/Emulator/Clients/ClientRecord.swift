internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

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
    init(row: borrowing SQLiteRow) throws(SQLiteError) {
        id = try row["id"]
        token = try row["token"]
        signInID = try row["sign_in_id"]
        signUpID = try row["sign_up_id"]
        lastActiveSessionID = try row["last_active_session_id"]
        lastStrategy = try row["last_strategy"]
        createdAt = try row["created_at"]
        updatedAt = try row["updated_at"]
    }

    var stored: [any SQLiteConvertible] {
        [
            id, token, signInID, signUpID, lastActiveSessionID, lastStrategy,
            createdAt,
            updatedAt,
        ]
    }
}

/// A token of a client: the current one, or a replaced one in its grace period.
struct ClientTokenRecord: StoredRecord {
    let token: String
    let clientID: String
    var retiredAt: Instant?

    static let table = "client_tokens"
    static let columns = ["token", "client_id", "retired_at"]
}

extension ClientTokenRecord {
    init(row: borrowing SQLiteRow) throws(SQLiteError) {
        token = try row["token"]
        clientID = try row["client_id"]
        retiredAt = try row["retired_at"]
    }

    var stored: [any SQLiteConvertible] { [token, clientID, retiredAt] }
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
            "sign_up": signUp.map { SignUpJSON(context: context).signUp($0) } ?? .null,
            "last_active_session_id": .optional(client.lastActiveSessionID),
            "last_authentication_strategy": .optional(client.lastStrategy), "cookie_expires_at": nil, "captcha_bypass": false,
            "created_at": .time(client.createdAt), "updated_at": .time(client.updatedAt),
        ]
    }
}
