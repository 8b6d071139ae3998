internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite
internal import LockstepTokens

/// Opens sessions, and issues their tokens.
struct Sessions {
    let context: RequestContext

    /// Opens a session for a user.
    func open(for user: inout User, by method: AuthenticationMethod) throws -> IssuedSession {
        var session = Session(
            id: context.uuid(), userID: user.id, address: context.callerAddress,
            agent: context.request.headers["user-agent"] ?? "", createdAt: context.now, updatedAt: context.now)
        let isSecondVersion = context.settings.refresh.version == 2
        if isSecondVersion {
            session.refreshKey = Hex.encode(context.randomness.bytes(32))
            session.refreshCounter = 0
        }
        try context.db.insert(session)
        session.proofs = [try context.db.addProof(method, to: session.id, at: context.now)]
        try context.db.noteSignIn(&user, at: context.now)
        let refreshToken: String
        if isSecondVersion {
            refreshToken = try SignedRefreshToken(sessionID: session.id, counter: 0).text(key: session.refreshKey)
        } else {
            refreshToken = newRefreshToken()
            try context.db.insertRefreshToken(refreshToken, parent: nil, session: session, at: context.now)
        }
        return try issue(refreshToken, of: session, to: user, by: method)
    }

    func newRefreshToken() -> String { context.randomness.text(12, of: "abcdefghijklmnopqrstuvwxyz234567") }

    /// Creates an access token with its refresh token, and their headers.
    func issue(
        _ refreshToken: String, of session: Session, to user: User, by method: AuthenticationMethod?, isAnnounced: Bool = true
    ) throws -> IssuedSession {
        context.userID = user.id
        var expiry = context.now.seconds + Int64(context.settings.tokens.life)
        if let life = context.settings.sessions.lowAssuranceLife, !session.isSecondFactor, user.hasVerifiedFactor {
            expiry = min(expiry, (session.createdAt + life).seconds)
        }
        let issuer = context.settings.tokens.issuer ?? context.state.base
        var claims: JSONObject = [:]
        if !issuer.isEmpty { claims["iss"] = .string(issuer) }
        claims["sub"] = .string(user.id)
        claims["aud"] = .string(user.audience)
        claims["exp"] = .int(expiry)
        claims["iat"] = .int(context.now.seconds)
        claims["email"] = .string(user.email)
        claims["phone"] = .string(user.phone)
        claims["app_metadata"] = .object(user.appMetadata.sorted())
        claims["user_metadata"] = .object((user.userMetadata ?? [:]).sorted())
        claims["role"] = .string(user.role)
        claims["aal"] = .string(session.assurance)
        claims["amr"] = .array(
            session.proofs.map { ["method": .string($0.method.rawValue), "timestamp": .int($0.updatedAt.seconds)] })
        claims["session_id"] = .string(session.id)
        claims["is_anonymous"] = .bool(user.isAnonymous)
        claims = try context.hooks.changed(claims, user: user, method: method)
        let token: String
        do {
            token = try TokenWriter.sign(claims, with: context.state.keys.signing, style: .go)
        } catch {
            throw GoTrueError.unhandled
        }
        if isAnnounced { announce(user: user.id, session: session, refreshToken) }
        return IssuedSession(
            accessToken: token, refreshToken: refreshToken, life: Int(expiry - context.now.seconds), expiresAt: expiry,
            user: user,
            sessionID: session.id, counter: session.refreshCounter)
    }

    private func announce(user: String, session: Session, _ refreshToken: String) {
        context.headers.append(("sb-auth-user-id", user))
        context.headers.append(("sb-auth-session-id", session.id))
        if let counter = session.refreshCounter {
            context.headers.append(("sb-auth-refresh-token-counter", String(counter)))
        } else {
            context.headers.append(("sb-auth-refresh-token-prefix", String(refreshToken.prefix(5))))
        }
    }
}

/// The tokens of a sign-in or a refresh.
struct IssuedSession: Sendable {
    var accessToken: String
    var refreshToken: String
    var life: Int
    var expiresAt: Int64
    var user: User
    var sessionID: String
    /// The counter of a token of version 2.
    var counter: Int64?
    var providerToken: String?
    var providerRefreshToken: String?
}

extension IssuedSession {
    /// The session in a response.
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
