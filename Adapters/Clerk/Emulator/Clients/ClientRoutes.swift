import LockstepPrimitives

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
        for var session in try ClientRepository(context: context).sessions(of: client) {
            session.status = session.isLive ? .removed : .replaced
            session.updatedAt = context.now
            try call.context.db.save(session)
        }
        var client = client
        client.lastActiveSessionID = nil
        client.lastStrategy = nil
        client.signInID = nil
        client.signUpID = nil
        try call.save(client)
    }
}
