internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// `/v1/client` itself.
struct ClientRoutes {
    let context: RequestContext

    /// Returns the client in the request, if there is one.
    func get() throws -> Answer {
        try context.redirects.redeemRotation()
        return .client
    }

    /// Returns the client in the request, or a new one.
    func create() throws -> Answer {
        try context.redirects.redeemRotation()
        _ = try context.clientOrNew()
        return .client
    }

    /// Ends all sessions and deletes the client, so that the device has no identity.
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
            // The end of any other session was already announced.
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
