internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite
internal import LockstepTokens

extension Turn {
    /// The caller's address: the first of the forwarding header, or the socket's.
    var callerAddress: String {
        let forwarded = request.headers["X-Forwarded-For"]?.split(separator: ",").first.map { $0.filter { $0 != " " } }
        return forwarded ?? request.remoteAddress
    }

    /// Opens a session for a user.
    mutating func openSession(
        for user: inout User, by method: AuthenticationMethod, _ db: inout SQLiteConnection
    ) throws -> IssuedSession {
        var session = Session(id: uuid(), userID: user.id, createdAt: now)
        let isSecondVersion = settings.refresh.version == 2
        if isSecondVersion {
            session.refreshKey = Hex.encode(randomness.bytes(32))
            session.refreshCounter = 0
        }
        try db.insert(session, address: callerAddress, agent: request.headers["user-agent"] ?? "")
        try db.addProof(method, to: session.id, at: now)
        session.proofs = [Session.Proof(method: method, at: now)]
        try db.noteSignIn(&user, at: now)
        let refreshToken: String
        if isSecondVersion {
            refreshToken = try SignedRefreshToken(sessionID: session.id, counter: 0).text(key: session.refreshKey)
        } else {
            refreshToken = newRefreshToken()
            try db.insertRefreshToken(refreshToken, parent: nil, session: session, at: now)
        }
        return try issue(refreshToken, of: session, to: user, by: method)
    }

    func newRefreshToken() -> String { randomness.text(12, of: "abcdefghijklmnopqrstuvwxyz234567") }

    /// An access token with its refresh token, and their headers.
    mutating func issue(
        _ refreshToken: String, of session: Session, to user: User, by method: AuthenticationMethod?, isAnnounced: Bool = true
    ) throws -> IssuedSession {
        var expiry = now.seconds + Int64(settings.tokens.life)
        if let life = settings.sessions.lowAssuranceLife, !session.isSecondFactor, user.hasVerifiedFactor {
            expiry = min(expiry, (session.createdAt + life).seconds)
        }
        var claims: JSONObject = ["iss": .string(settings.tokens.issuer ?? core.base)]
        claims["sub"] = .string(user.id)
        claims["aud"] = .string(user.audience)
        claims["exp"] = .int(expiry)
        claims["iat"] = .int(now.seconds)
        claims["email"] = .string(user.email)
        claims["phone"] = .string(user.phone)
        claims["app_metadata"] = .object(user.appMetadata.sorted())
        claims["user_metadata"] = .object((user.userMetadata ?? [:]).sorted())
        claims["role"] = .string(user.role)
        claims["aal"] = .string(session.assurance)
        claims["amr"] = .array(
            session.proofs.map { ["method": .string($0.method.rawValue), "timestamp": .int($0.at.seconds)] })
        claims["session_id"] = .string(session.id)
        claims["is_anonymous"] = .bool(user.isAnonymous)
        claims = try hooked(claims, user: user, method: method)
        let token: String
        do {
            token = try TokenWriter.sign(claims, with: core.keys.signing, style: .go)
        } catch {
            throw GoTrueError.unhandled
        }
        if isAnnounced { announce(user: user.id, session: session, refreshToken) }
        return IssuedSession(
            accessToken: token, refreshToken: refreshToken, life: Int(expiry - now.seconds), expiresAt: expiry, user: user,
            sessionID: session.id, counter: session.refreshCounter)
    }

    private mutating func announce(user: String, session: Session, _ refreshToken: String) {
        notes.append(("sb-auth-user-id", user))
        notes.append(("sb-auth-session-id", session.id))
        if let counter = session.refreshCounter {
            notes.append(("sb-auth-refresh-token-counter", String(counter)))
        } else {
            notes.append(("sb-auth-refresh-token-prefix", String(refreshToken.prefix(5))))
        }
    }
}

extension IssuedSession {
    /// As answers show it.
    var json: JSONObject {
        var object: JSONObject = [
            "access_token": .string(accessToken), "token_type": "bearer", "expires_in": .int(Int64(life)),
            "expires_at": .int(expiresAt), "refresh_token": .string(refreshToken), "user": .object(user.json),
        ]
        if let providerToken, !providerToken.isEmpty { object["provider_token"] = .string(providerToken) }
        if let providerRefreshToken, !providerRefreshToken.isEmpty {
            object["provider_refresh_token"] = .string(providerRefreshToken)
        }
        return object
    }
}

extension EmulatorResponse {
    static func go(_ value: JSON, status: Int = 200) -> EmulatorResponse { .json(value, status: status, style: .go) }
    static func go(_ object: JSONObject) -> EmulatorResponse { .go(.object(object)) }
}
