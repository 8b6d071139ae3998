internal import LockstepPrimitives
internal import LockstepSQLite

/// A session, with the methods that it was proven by.
struct Session: Sendable {
    struct Proof: Sendable {
        var method: AuthenticationMethod
        var at: Instant
    }

    var id: String
    var userID: String
    var factorID: String?
    /// Signs version 2 refresh tokens, in hexadecimal.
    var refreshKey: String?
    var refreshCounter: Int64?
    var refreshedAt: Instant?
    var createdAt: Instant
    /// The order of creation.
    var row: Int64 = 0
    /// Newest first.
    var proofs: [Proof] = []

    var isSecondFactor: Bool { proofs.contains { $0.method.isSecond } }
    var assurance: String { isSecondFactor ? "aal2" : "aal1" }

    func isProven(by methods: [AuthenticationMethod]) -> Bool { proofs.contains { methods.contains($0.method) } }
}

/// A version 1 refresh token.
struct RefreshToken: Sendable {
    var id: Int64
    var token: String
    var parent: String?
    var userID: String
    var sessionID: String
    var isRevoked: Bool
    var updatedAt: Instant
}

/// An authentication method: an entry of `amr`.
struct AuthenticationMethod: RawRepresentable, Hashable, Sendable {
    let rawValue: String

    static let password = AuthenticationMethod(rawValue: "password")
    static let otp = AuthenticationMethod(rawValue: "otp")
    static let magicLink = AuthenticationMethod(rawValue: "magiclink")
    static let recovery = AuthenticationMethod(rawValue: "recovery")
    static let emailSignUp = AuthenticationMethod(rawValue: "email/signup")
    static let emailChange = AuthenticationMethod(rawValue: "email_change")
    static let invite = AuthenticationMethod(rawValue: "invite")
    static let oauth = AuthenticationMethod(rawValue: "oauth")
    static let anonymous = AuthenticationMethod(rawValue: "anonymous")
    static let totp = AuthenticationMethod(rawValue: "totp")
    static let phoneFactor = AuthenticationMethod(rawValue: "mfa/phone")
    static let webAuthnFactor = AuthenticationMethod(rawValue: "mfa/webauthn")
    static let passkey = AuthenticationMethod(rawValue: "passkey")

    /// Whether it is a second factor.
    var isSecond: Bool { [.totp, .phoneFactor, .webAuthnFactor].contains(self) }

    /// The method of a flow that a link of this type completes; `nil` for types without a method.
    init?(linkType: String) {
        switch linkType {
        case "signup": self = .emailSignUp
        case "invite": self = .invite
        case "recovery": self = .recovery
        case "magiclink": self = .magicLink
        case "email_change": self = .emailChange
        default: return nil
        }
    }

    init(rawValue: String) { self.rawValue = rawValue }
}

extension SQLiteConnection {
    mutating func session(id: String) throws -> Session? {
        guard var session = try first("SELECT * FROM sessions WHERE id = \(id)", Session.init(row:)) else { return nil }
        session.proofs = try proofs(of: id)
        return session
    }

    mutating func sessions(of userID: String) throws -> [Session] {
        var sessions = try all("SELECT * FROM sessions WHERE user_id = \(userID)", Session.init(row:))
        for index in sessions.indices { sessions[index].proofs = try proofs(of: sessions[index].id) }
        return sessions
    }

    /// Newest first; of one millisecond the stronger method first.
    mutating func proofs(of sessionID: String) throws -> [Session.Proof] {
        try all(
            "SELECT authentication_method, updated_at FROM mfa_amr_claims WHERE session_id = \(sessionID) ORDER BY updated_at DESC"
        ) { row throws(SQLiteError) in
            Session.Proof(method: AuthenticationMethod(rawValue: try row[0] as String), at: try row[1])
        }
    }

    mutating func insert(_ session: Session, address: String, agent: String) throws {
        try run(
            "INSERT INTO sessions (id, user_id, aal, ip, user_agent, refresh_token_hmac_key, refresh_token_counter, created_at, updated_at) VALUES (\(session.id), \(session.userID), 'aal1', \(address), \(agent), \(session.refreshKey.sqliteValue), \(session.refreshCounter.sqliteValue), \(session.createdAt), \(session.createdAt))"
        )
    }

    mutating func addProof(_ method: AuthenticationMethod, to sessionID: String, at now: Instant) throws {
        try run(
            "INSERT INTO mfa_amr_claims (session_id, authentication_method, created_at, updated_at) VALUES (\(sessionID), \(method.rawValue), \(now), \(now)) ON CONFLICT DO UPDATE SET updated_at = \(now)"
        )
    }

    mutating func endSessions(of userID: String, except kept: String? = nil) throws {
        if let kept {
            try run("DELETE FROM sessions WHERE user_id = \(userID) AND id != \(kept)")
        } else {
            try run("DELETE FROM sessions WHERE user_id = \(userID)")
        }
    }

    mutating func endSession(id: String) throws {
        try run("DELETE FROM sessions WHERE id = \(id)")
    }

    /// A new token of a session, in place of `parent`.
    mutating func insertRefreshToken(_ token: String, parent: RefreshToken?, session: Session, at now: Instant) throws {
        if let parent {
            // The real server writes the user's row with every token that replaces another.
            try run("UPDATE users SET updated_at = \(now) WHERE id = \(session.userID)")
            try run("UPDATE refresh_tokens SET revoked = 1, updated_at = \(now) WHERE id = \(parent.id)")
        }
        try run(
            "INSERT INTO refresh_tokens (token, parent, user_id, session_id, revoked, created_at, updated_at) VALUES (\(token), \((parent?.token).sqliteValue), \(session.userID), \(session.id), 0, \(now), \(now))"
        )
        // A session keeps its last thousand used tokens: keeping all would be a leak.
        guard lastInsertedRow % 64 == 0 else { return }
        try run(
            "DELETE FROM refresh_tokens WHERE session_id = \(session.id) AND revoked = 1 AND id <= (SELECT id FROM refresh_tokens WHERE session_id = \(session.id) AND revoked = 1 ORDER BY id DESC LIMIT 1 OFFSET 1000)"
        )
    }

    mutating func refreshToken(_ token: String) throws -> RefreshToken? {
        try refreshToken("WHERE token = \(token)" as SQL)
    }

    /// The newest unused token of a session.
    mutating func activeRefreshToken(of sessionID: String) throws -> RefreshToken? {
        try refreshToken("WHERE session_id = \(sessionID) AND revoked = 0 ORDER BY id DESC LIMIT 1" as SQL)
    }

    /// The oldest unused token of a session: allowed reuse leaves more than one.
    mutating func oldestRefreshToken(of sessionID: String) throws -> RefreshToken? {
        try refreshToken("WHERE session_id = \(sessionID) AND revoked = 0 ORDER BY id LIMIT 1" as SQL)
    }

    private mutating func refreshToken(_ condition: SQL) throws -> RefreshToken? {
        try first("SELECT * FROM refresh_tokens " + condition) { row throws(SQLiteError) in
            RefreshToken(
                id: try row["id"], token: try row["token"], parent: try row["parent"], userID: try row["user_id"],
                sessionID: try row["session_id"], isRevoked: try row["revoked"], updatedAt: try row["updated_at"])
        }
    }
}

extension Session {
    init(row: borrowing SQLiteRow) throws(SQLiteError) {
        id = try row["id"]
        userID = try row["user_id"]
        factorID = try row["factor_id"]
        refreshKey = try row["refresh_token_hmac_key"]
        refreshCounter = try row["refresh_token_counter"]
        refreshedAt = try row["refreshed_at"]
        createdAt = try row["created_at"]
        self.row = try row["row"]
    }
}
