internal import LockstepEmulation
import LockstepPrimitives
internal import LockstepSQLite
internal import LockstepTokens

/// `/v1/sessions`.
struct AdminSessionRoutes {
    let context: RequestContext

    func list() throws -> Answer {
        var condition: SQL = "1 = 1"
        for name in ["client_id", "user_id"] {
            guard let id = context.query.text(name) else { continue }
            condition += " AND \(name: name) = \(id)"
        }
        if let text = context.query.text("status") {
            guard let status = SessionStatus(rawValue: text) else {
                throw ClerkError.invalidValue("status", String(text.prefix(40)))
            }
            condition += " AND status = \(status.rawValue)"
        }
        let (sessions, total) = try context.page(of: SessionRecord.self, where: condition)
        return .resource(context.list(sessions.map { context.sessionJSON.bare($0) }, total: total))
    }

    /// Creates a session without a browser, for tests.
    func create() throws -> Answer {
        let user = try context.user(try context.fields.required("user_id"))
        return .resource(context.sessionJSON.bare(try context.sessions.beginWithoutClient(user)))
    }

    func get() throws -> Answer { .resource(context.sessionJSON.bare(try session())) }

    func revoke() throws -> Answer {
        var session = try session()
        guard session.isLive else { throw ClerkError.sessionAction("revoke", session.id) }
        try context.sessions.end(&session, .revoked)
        return .resource(context.sessionJSON.bare(session))
    }

    func token() throws -> Answer {
        let session = try live()
        let seconds = try context.fields.number("expires_in_seconds", 30...315_360_000)
        let user = try context.user(session.userID)
        let jwt = try context.sessionTokens.token(
            of: session, user: user, audience: .none, lifetime: seconds.map { .seconds($0) })
        return .resource(["object": "token", "jwt": .string(jwt)])
    }

    func templateToken() throws -> Answer {
        let session = try live()
        let name = context.piece("template_name")
        let user = try context.user(session.userID)
        guard let jwt = try context.extensions.token(name, of: session, user, .none) else { throw ClerkError.notFound(name) }
        return .resource(["object": "token", "jwt": .string(jwt)])
    }

    /// Returns a new token for a site's server, which sends an expired token and the refresh token of a handshake.
    ///
    /// - Throws: 401 if either token or any other field is invalid, so that the server continues with a handshake
    ///   (clerk-bapi, RefreshSession).
    func refresh() throws -> Answer {
        let (expired, token, origin, format): (String, String, String, String)
        do {
            (expired, token, origin, format) = try refreshFields()
        } catch {
            throw ClerkError.unauthenticated(because: error)
        }
        let id = context.piece("session_id")
        let signingKey = try context.value(of: context.state.signingKey)
        let keys = JSONWebKeySet(publishing: [signingKey]).verificationKeys
        guard let claims = try? TokenVerifier.verifySignature(of: expired, keys: keys).claims,
            claims["sid"]?.string?.exact == id.exact,
            claims["azp"] == nil || claims["azp"]?.string == origin,
            let row = try context.db.find(NonceRecord.self, "nonce = \(token) AND kind = 'refresh'"),
            row.subject?.exact == id.exact,
            row.payload["origin"]?.string == origin, row.expireAt > context.now,
            let session = try context.sessions.find(id), session.isLive, session.expireAt > context.now,
            let user = try context.users.find(session.userID)
        else { throw ClerkError.unauthenticated }
        let jwt = try context.sessionTokens.token(of: session, user: user, audience: TokenAudience(origin: origin))
        guard format == "cookie" else { return .resource(["object": "token", "jwt": .string(jwt)]) }
        let names =
            ["__session"] + (context.query["suffixed_cookies"] == "true" ? ["__session_" + context.state.cookieSuffix] : [])
        let cookies = names.map { "\($0)=\(jwt); Path=/; SameSite=Lax; Max-Age=315360000" }
        return .resource(["object": "cookies", "cookies": .strings(cookies)])
    }

    private func refreshFields() throws(ClerkError) -> (expired: String, token: String, origin: String, format: String) {
        try context.fields.check([
            "expired_token": .text, "refresh_token": .text, "request_origin": .text, "request_originating_ip": .anything,
            "request_headers": .anything, "format": .text,
        ])
        let format = try context.fields.text("format") ?? "token"
        guard ["token", "cookie"].contains(format) else { throw ClerkError.invalidValue("format", String(format.prefix(40))) }
        return (
            try context.fields.required("expired_token"), try context.fields.required("refresh_token"),
            try context.fields.required("request_origin"), format
        )
    }

    private func session() throws -> SessionRecord {
        try context.named("session_id") { try context.sessions.find($0) }
    }

    private func live() throws -> SessionRecord {
        let session = try session()
        guard session.isLive, session.expireAt > context.now else { throw ClerkError.notFound(session.id) }
        return session
    }
}
