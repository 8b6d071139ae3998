internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// A session, with the methods with which it was verified.
struct Session: Record {
    var id = ""
    var userID = ""
    /// The stored assurance level; when a session reaches a higher level, weaker sessions end.
    var level = "aal1"
    /// The factor that has raised the level.
    var factorID: String?
    var address = ""
    var agent = ""
    /// The key that signs version 2 refresh tokens, in hexadecimal.
    var refreshKey: String?
    var refreshCounter: Int64?
    var refreshedAt: Instant?
    var createdAt = Instant.distantPast
    var updatedAt = Instant.distantPast
    /// Newest first; not a column of the row.
    var proofs: [SessionProof] = []

    static let table = Table<Session>(
        "sessions",
        [
            Column("id", \.id, .unique), Column("user_id", \.userID, .belongs(to: "users (id)")), Column("aal", \.level),
            Column("factor_id", \.factorID), Column("ip", \.address), Column("user_agent", \.agent),
            Column("refresh_token_hmac_key", \.refreshKey), Column("refresh_token_counter", \.refreshCounter),
            Column("refreshed_at", \.refreshedAt), Column("created_at", \.createdAt), Column("updated_at", \.updatedAt),
        ], numbered: "row", indexes: [Index("sessions_user", on: "user_id")])

    var isSecondFactor: Bool { proofs.contains { $0.method.isSecond } }
    var assurance: String { isSecondFactor ? "aal2" : "aal1" }

    func isProven(by methods: [AuthenticationMethod]) -> Bool { proofs.contains { methods.contains($0.method) } }
}

/// A method with which a session was verified.
struct SessionProof: Record {
    var sessionID = ""
    var method = AuthenticationMethod(rawValue: "")
    var createdAt = Instant.distantPast
    var updatedAt = Instant.distantPast

    static let table = Table<SessionProof>(
        "mfa_amr_claims",
        [
            Column("session_id", \.sessionID, .belongs(to: "sessions (id)")), Column("authentication_method", \.method),
            Column("created_at", \.createdAt), Column("updated_at", \.updatedAt),
        ], key: ["session_id", "authentication_method"], isKeyed: true)
}

/// A version 1 refresh token.
struct RefreshToken: Record {
    var token = ""
    /// The token that this one has replaced.
    var parent: String?
    var userID = ""
    var sessionID = ""
    var isRevoked = false
    var createdAt = Instant.distantPast
    var updatedAt = Instant.distantPast

    static let table = Table<RefreshToken>(
        "refresh_tokens",
        [
            Column("token", \.token, .unique), Column("parent", \.parent),
            Column("user_id", \.userID, .belongs(to: "users (id)")),
            Column("session_id", \.sessionID, .belongs(to: "sessions (id)")), Column("revoked", \.isRevoked),
            Column("created_at", \.createdAt), Column("updated_at", \.updatedAt),
        ], numbered: "id",
        indexes: [
            Index("refresh_tokens_session", on: "session_id, revoked"), Index("refresh_tokens_user", on: "user_id"),
        ])
}

/// An authentication method: an entry of `amr`.
struct AuthenticationMethod: RawRepresentable, Hashable, ColumnValue {
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

    /// Whether the method is a second factor.
    var isSecond: Bool { [.totp, .phoneFactor, .webAuthnFactor].contains(self) }

    /// Returns the method of a flow that a link of this type completes; `nil` for types without a method.
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
        guard var session = try find(Session.self, "id = \(id)") else { return nil }
        session.proofs = try proofs(of: id)
        return session
    }

    /// Oldest first.
    mutating func sessions(of userID: String) throws -> [Session] {
        var sessions = try all(Session.self, "user_id = \(userID) ORDER BY row")
        for index in sessions.indices { sessions[index].proofs = try proofs(of: sessions[index].id) }
        return sessions
    }

    /// Newest first; within the same millisecond, the stronger method comes first.
    mutating func proofs(of sessionID: String) throws -> [SessionProof] {
        try all(SessionProof.self, "session_id = \(sessionID) ORDER BY updated_at DESC")
    }

    @discardableResult
    mutating func addProof(_ method: AuthenticationMethod, to sessionID: String, at now: Instant) throws -> SessionProof {
        let proof = SessionProof(sessionID: sessionID, method: method, createdAt: now, updatedAt: now)
        try save(proof)
        return proof
    }

    mutating func endSessions(of userID: String, except kept: String? = nil) throws {
        try delete(Session.self, "user_id = \(userID) AND id != \(kept ?? "")")
    }

    /// Inserts a new token of a session, which replaces `parent`.
    mutating func insertRefreshToken(_ token: String, parent: RefreshToken?, session: Session, at now: Instant) throws {
        if var parent {
            // The real server also writes the user's row whenever a token replaces another one.
            try run("UPDATE users SET updated_at = \(now) WHERE id = \(session.userID)")
            parent.isRevoked = true
            parent.updatedAt = now
            try update(parent)
        }
        try insert(
            RefreshToken(
                token: token, parent: parent?.token, userID: session.userID, sessionID: session.id, createdAt: now, updatedAt: now
            ))
        // A session keeps its last thousand used tokens, because keeping all of them would be a leak.
        guard lastInsertedRow % 64 == 0 else { return }
        try delete(
            RefreshToken.self,
            """
            session_id = \(session.id) AND revoked = 1 AND id <= (SELECT id FROM refresh_tokens
            WHERE session_id = \(session.id) AND revoked = 1 ORDER BY id DESC LIMIT 1 OFFSET 1000)
            """)
    }

    /// Returns the newest unused token of a session.
    mutating func activeRefreshToken(of sessionID: String) throws -> RefreshToken? {
        try find(RefreshToken.self, "session_id = \(sessionID) AND revoked = 0 ORDER BY id DESC")
    }

    /// Returns the oldest unused token of a session, which can have several if reuse is allowed.
    mutating func oldestRefreshToken(of sessionID: String) throws -> RefreshToken? {
        try find(RefreshToken.self, "session_id = \(sessionID) AND revoked = 0 ORDER BY id")
    }
}
