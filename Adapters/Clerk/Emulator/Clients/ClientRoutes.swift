internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// `/v1/client` itself.
struct ClientRoutes {
    let call: FrontendCall

    private var context: RequestContext { call.context }

    /// The client that the request names; there may be none.
    func get() throws -> FrontendResponse {
        try Redirects(call: call).redeemRotation()
        return .client
    }

    /// The client that the request names, or a new one.
    func create() throws -> FrontendResponse {
        try call.form.check(["code_verifier"])
        try Redirects(call: call).redeemRotation()
        _ = try call.clientOrNew()
        return .client
    }

    /// Ends all sessions and forgets the client: the device has no identity afterwards.
    func delete() throws -> FrontendResponse {
        guard let client = call.client else { throw ClerkError.notFound("client") }
        try removeSessions(of: client)
        try call.reloadClient()
        let json = try call.client.map { try ClientJSON(context: context, audience: call.audience).client($0) } ?? .null
        try call.context.db.run("DELETE FROM clients WHERE id = \(client.id)")
        call.client = nil
        call.clearsIdentity = true
        return .bare(["response": json, "client": nil])
    }

    /// Ends all sessions and keeps the client.
    func deleteSessions() throws -> FrontendResponse {
        guard let client = call.client else { throw ClerkError.signedOut }
        try removeSessions(of: client)
        try call.reloadClient()
        return .client
    }

    private func removeSessions(of client: ClientRecord) throws {
        for var session in try context.clients.sessions(of: client) {
            let isLive = session.isLive
            session.status = isLive ? .removed : .replaced
            session.updatedAt = context.now
            try call.context.db.save(session)
            // The end of any other session is told already.
            if isLive { try context.sessions.announce(session, session.status.rawValue) }
        }
        var client = client
        client.lastActiveSessionID = nil
        client.lastStrategy = nil
        client.signInID = nil
        client.signUpID = nil
        try call.save(client)
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
