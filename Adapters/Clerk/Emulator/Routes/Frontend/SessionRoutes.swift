import LockstepPrimitives

/// `/v1/client/sessions/{session_id}` and the paths below it, and the list of devices under `/v1/me`.
struct SessionRoutes {
    let context: RequestContext

    func get() throws -> Answer {
        .resource(try context.sessionJSON.session(try own(), audience: context.audience))
    }

    /// Marks the session as used, or as the current one.
    func touch() throws -> Answer {
        if let intent = context.form.text("intent"), !["focus", "select_session", "select_org"].contains(intent) {
            throw ClerkError.invalidValue("intent", String(intent.prefix(60)))
        }
        var session = try live()
        // If an instance requires an organization in every session, the session keeps the previous one (FAPI
        // `touchSession`).
        let isKept = context.settings.organizations.isEnabled && context.settings.organizations.isSelectionForced
        if let name = context.form["active_organization_id"], !(name.isEmpty && isKept) { try activate(name, in: &session) }
        session.lastActiveAt = context.now
        session.updatedAt = context.now
        session.abandonAt = context.now + context.settings.sessionInactivity
        try context.db.save(session)
        if var user = try context.users.find(session.userID) {
            user.lastActiveAt = context.now
            try context.db.save(user)
        }
        if var client = context.client {
            client.lastActiveSessionID = session.id
            try context.save(client)
        }
        return .resource(try context.sessionJSON.session(session, audience: context.audience))
    }

    /// Signs the user out; the session stays in the list.
    func end() throws -> Answer { try finish(.ended) }

    /// Signs the user out, and removes the session from the list.
    func remove() throws -> Answer { try finish(.removed) }

    /// Returns a new token; the body has no envelope.
    func token() throws -> Answer {
        var session = try live()
        // An empty value requests the personal account; a missing one requests the session's own organization.
        if let name = context.form["organization_id"] { session.organizationID = try organization(name, of: session) }
        guard let user = try context.users.find(session.userID) else { throw ClerkError.unauthenticated }
        let jwt = try context.sessionTokens.token(of: session, user: user, audience: context.audience)
        return .bare(["object": "token", "jwt": .string(jwt)])
    }

    /// Returns a token from a template of the instance.
    func templateToken() throws -> Answer {
        let session = try live()
        let name = context.piece("template_name")
        guard let user = try context.users.find(session.userID) else { throw ClerkError.unauthenticated }
        guard let jwt = try context.extensions.token(name, of: session, user, context.audience) else {
            throw ClerkError.notFound(name)
        }
        return .bare(["object": "token", "jwt": .string(jwt)])
    }

    /// Returns a token for another service, from the template with its name.
    func serviceToken() throws -> Answer {
        let session = try context.session
        let name = try context.form.required("service")
        guard let jwt = try context.extensions.token(name, of: session, try context.user, context.audience) else {
            throw ClerkError.invalidValue("service", String(name.prefix(60)))
        }
        return .bare(["object": "token", "jwt": .string(jwt)])
    }

    /// Returns the user's sessions on all devices; the body is a bare list.
    func devices() throws -> Answer {
        let sessions = try context.sessions.live(of: try context.user)
        return .bare(.array(try sessions.map { try context.sessionJSON.device($0, audience: context.audience) }))
    }

    /// Ends a session of the same user on another device.
    func revoke() throws -> Answer {
        let own = try context.session
        let id = context.piece("session_id")
        guard var session = try context.sessions.find(id), session.userID.exact == own.userID.exact else {
            throw ClerkError.notFound(id)
        }
        guard session.isLive, session.id.exact != own.id.exact else { throw ClerkError.sessionAction("revoke", id) }
        try context.sessions.end(&session, .revoked)
        return .resource(try context.sessionJSON.session(session, audience: context.audience))
    }

    /// Makes an organization the active one of the session, or the personal account if the name is empty.
    private func activate(_ name: String, in session: inout SessionRecord) throws {
        session.organizationID = try organization(name, of: session)
        guard session.organizationID != nil else { return }
        session.finish(SessionTask.chooseOrganization)
    }

    private func organization(_ name: String, of session: SessionRecord) throws -> String? {
        guard !name.isEmpty else { return nil }
        guard context.settings.organizations.isEnabled else { throw ClerkError.organizationsDisabled }
        let organizations = context.organizations
        guard let organization = try organizations.find(name),
            try organizations.membership(of: session.userID, in: organization.id) != nil
        else { throw ClerkError.noSuchOrganization }
        return organization.id
    }

    private func finish(_ status: SessionStatus) throws -> Answer {
        var session = try own()
        guard status == .removed || session.isLive else { throw ClerkError.sessionAction("end", session.id) }
        try context.sessions.end(&session, status)
        try context.reloadClient()
        return .resource(try context.sessionJSON.session(session, audience: context.audience))
    }

    /// Returns the session in the path, which must belong to this client.
    private func own() throws -> SessionRecord {
        let id = context.piece("session_id")
        guard let client = context.client else { throw ClerkError.unauthenticated }
        guard let session = try context.sessions.find(id), session.clientID?.exact == client.id.exact, session.status != .removed,
            session.status != .replaced
        else {
            throw ClerkError.notFound(id)
        }
        return session
    }

    /// Returns the session if it is still signed in.
    private func live() throws -> SessionRecord {
        let session = try own()
        guard session.isLive else { throw ClerkError.unauthenticated }
        return session
    }
}
