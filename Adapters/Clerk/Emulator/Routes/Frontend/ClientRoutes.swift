internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// `/v1/client` itself.
struct ClientRoutes {
    let context: RequestContext

    /// The client that the request names; there may be none.
    func get() throws -> Answer {
        try Redirects(context: context).redeemRotation()
        return .client
    }

    /// The client that the request names, or a new one.
    func create() throws -> Answer {
        try Redirects(context: context).redeemRotation()
        _ = try context.clientOrNew()
        return .client
    }

    /// Ends all sessions and forgets the client: the device has no identity afterwards.
    func delete() throws -> Answer {
        guard let client = context.client else { throw ClerkError.notFound("client") }
        try removeSessions(of: client)
        try context.reloadClient()
        let json = try context.client.map { try ClientJSON(context: context, audience: context.audience).client($0) } ?? .null
        try context.db.run("DELETE FROM clients WHERE id = \(client.id)")
        context.client = nil
        context.call.clearsIdentity = true
        return .bare(["response": json, "client": nil])
    }

    /// Ends all sessions and keeps the client.
    func deleteSessions() throws -> Answer {
        guard let client = context.client else { throw ClerkError.signedOut }
        try removeSessions(of: client)
        try context.reloadClient()
        return .client
    }

    private func removeSessions(of client: ClientRecord) throws {
        for var session in try context.clients.sessions(of: client) {
            let isLive = session.isLive
            session.status = isLive ? .removed : .replaced
            session.updatedAt = context.now
            try context.db.save(session)
            // The end of any other session is told already.
            if isLive { try context.sessions.announce(session, session.status.rawValue) }
        }
        var client = client
        client.lastActiveSessionID = nil
        client.lastStrategy = nil
        client.signInID = nil
        client.signUpID = nil
        try context.save(client)
    }
}

/// A random text that identifies a short-lived value: a step of a redirect, a client to be rotated, a handshake, a dev browser.
struct NonceRecord: Record {
    enum Kind: String, ColumnValue {
        /// `state` of a redirect to a provider; the subject is the attempt.
        case redirect
        /// `rotating_token_nonce`; the subject is the client.
        case rotation
        /// `__clerk_handshake_nonce`; the payload holds the directives.
        case handshake
        /// A dev browser; the subject is its client, once there is one.
        case devBrowser = "dev_browser"
        /// A code that a server has sent; the subject is the address, the payload the proof.
        case verification
        /// A site's `__refresh` cookie; the subject is the session, the payload has the site's origin.
        case refresh
        /// The ticket of a connection's test run; the subject is the run.
        case testRun = "test_run"
        /// A testing token.
        case testing
    }

    var nonce: String
    var kind: Kind
    var subject: String?
    var payload: JSONObject
    var expireAt: Instant
}

extension NonceRecord {
    init() { self.init(nonce: "", kind: .testing, payload: [:], expireAt: .distantPast) }

    static let table = Table<NonceRecord>(
        "nonces",
        [
            Column("nonce", \.nonce, .key), Column("kind", \.kind), Column("subject", \.subject),
            Column("payload", \.payload), Column("expire_at", \.expireAt),
        ])
}
