import LockstepPrimitives

/// Endpoints for browsers of development instances only: their identity, and the handshake with servers.
///
/// Source: https://clerk.com/docs/reference/frontend-api.
struct BrowserRoutes {
    let context: RequestContext

    /// `POST /v1/dev_browser`: creates a new identity for a browser.
    func devBrowser() throws -> Answer {
        .bare(["id": .string(try newBrowser(context.client?.id)), "object": "dev_browser"])
    }

    /// `GET /v1/client/handshake`: a server requests the visitor's identity, and the browser returns to the server with
    /// the cookies.
    func handshake() throws -> Answer {
        let query = context.query
        guard let target = query.text("redirect_url") else { throw ClerkError.handshake }
        try context.redirects.check(target)
        guard target.hasPrefix("http://") || target.hasPrefix("https://") else { throw ClerkError.handshake }
        let directives = try directives(for: Self.origin(of: target))
        if query["format"] == "nonce" {
            let nonce = NonceRecord(
                nonce: context.token(), kind: .handshake, subject: nil, payload: ["directives": .strings(directives)],
                expireAt: context.now + .seconds(60))
            try context.db.save(nonce)
            context.redirect = Redirects.adding([("__clerk_handshake_nonce", nonce.nonce)], to: target)
        } else {
            let token = try context.sign(["handshake": .strings(directives)])
            context.redirect = Redirects.adding([("__clerk_handshake", token)], to: target)
        }
        context.call.redirectStatus = 307
        return .page("Go on.")
    }

    /// Returns the cookies that the page's own site needs, so that its server can identify the signed-in user.
    ///
    /// - `origin`: The origin of the site, which becomes the token's `azp`; servers check it.
    private func directives(for origin: String) throws -> [String] {
        let suffix = "; Path=/; SameSite=Lax; Max-Age=315360000"
        let browser = try newBrowser(context.client?.id)
        guard let client = context.client, let id = client.lastActiveSessionID,
            let session = try context.sessions.find(id),
            session.isLive, let user = try context.users.find(session.userID)
        else {
            return [
                "__clerk_db_jwt=\(browser)" + suffix, "__client_uat=0" + suffix,
                "__session=; Path=/; SameSite=Lax; Expires=Thu, 01 Jan 1970 00:00:00 GMT",
            ]
        }
        let token = try context.sessionTokens.token(of: session, user: user, audience: TokenAudience(origin: origin))
        try removeRefreshTokens(of: session, for: origin)
        // With this cookie, the site's server gets new tokens automatically. @clerk/backend reads it only under the
        // instance's suffix.
        let refresh = NonceRecord(
            nonce: context.token(), kind: .refresh, subject: session.id, payload: ["origin": .string(origin)],
            expireAt: session.expireAt)
        try context.db.save(refresh)
        return [
            "__clerk_db_jwt=\(browser)" + suffix, "__client_uat=\(session.createdAt.seconds)" + suffix,
            "__session=\(token)" + suffix, "__refresh_\(context.state.cookieSuffix)=\(refresh.nonce)\(suffix); HttpOnly",
        ]
    }

    /// Removes the site's former refresh tokens, because the browser's cookie gets a new one.
    private func removeRefreshTokens(of session: SessionRecord, for origin: String) throws {
        let former = try context.db.all(NonceRecord.self, "kind = 'refresh' AND subject = \(session.id)")
        for row in former where row.payload["origin"]?.string == origin {
            try context.db.run("DELETE FROM nonces WHERE nonce = \(row.nonce)")
        }
    }

    private static func origin(of url: String) -> String {
        guard let mark = url.range(ofBytes: "://") else { return url }
        let rest = url.unicodeScalars[mark.upperBound...].prefix { !"/?#".unicodeScalars.contains($0) }
        return String(url[..<mark.upperBound]) + Substring(rest)
    }

    private func newBrowser(_ client: String?) throws -> String {
        let browser = NonceRecord(
            nonce: "dvb_" + context.token(), kind: .devBrowser, subject: client, payload: [:],
            expireAt: context.now + .seconds(365 * 24 * 3600))
        try context.db.save(browser)
        return browser.nonce
    }
}
