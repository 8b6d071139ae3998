import LockstepPrimitives

/// `/v1/client/sessions/{session_id}` and what is below it, and the list of devices under `/v1/me`.
struct SessionRoutes {
    let call: FrontendCall

    private var context: RequestContext { call.context }

    func get() throws -> FrontendResponse {
        .resource(try context.sessionJSON.session(try own(), audience: call.audience))
    }

    /// Marks the session as used, or as the current one.
    func touch() throws -> FrontendResponse {
        try call.form.check(["active_organization_id", "intent"])
        if let intent = call.form.text("intent"), !["focus", "select_session", "select_org"].contains(intent) {
            throw ClerkError.invalidValue("intent", String(intent.prefix(60)))
        }
        var session = try live()
        // An instance that wants an organization in every session keeps the one before (FAPI `touchSession`).
        let isKept = call.settings.organizations.isEnabled && call.settings.organizations.isSelectionForced
        if let name = call.form["active_organization_id"], !(name.isEmpty && isKept) { try activate(name, in: &session) }
        session.lastActiveAt = context.now
        session.updatedAt = context.now
        session.abandonAt = context.now + call.settings.sessionInactivity
        try call.context.db.save(session)
        if var user = try context.users.find(session.userID) {
            user.lastActiveAt = context.now
            try call.context.db.save(user)
        }
        if var client = call.client {
            client.lastActiveSessionID = session.id
            try call.save(client)
        }
        return .resource(try context.sessionJSON.session(session, audience: call.audience))
    }

    /// The user signed out; the session stays in the list.
    func end() throws -> FrontendResponse { try finish(.ended) }

    /// The user signed out, and the session leaves the list.
    func remove() throws -> FrontendResponse { try finish(.removed) }

    /// A fresh token; the body has no envelope.
    func token() throws -> FrontendResponse {
        try call.form.check(["organization_id", "token", "force_origin", "tab_state"])
        var session = try live()
        // An empty one asks for the personal account; none at all for the session's own.
        if let name = call.form["organization_id"] { session.organizationID = try organization(name, of: session) }
        guard let user = try context.users.find(session.userID) else { throw ClerkError.unauthenticated }
        let jwt = try context.sessionTokens.token(of: session, user: user, audience: call.audience)
        return .bare(["object": "token", "jwt": .string(jwt)])
    }

    /// A token after a template of the instance.
    func templateToken() throws -> FrontendResponse {
        try call.form.check([])
        let session = try live()
        let name = call.request.piece("template_name")
        guard let template = try call.context.db.find(TemplateRecord.self, "name = \(name)") else {
            throw ClerkError.notFound(name)
        }
        guard let user = try context.users.find(session.userID) else { throw ClerkError.unauthenticated }
        let jwt = try context.sessionTokens.token(
            of: session, user: user, template: template, audience: call.audience)
        return .bare(["object": "token", "jwt": .string(jwt)])
    }

    /// A token for another service: after the template of its name.
    func serviceToken() throws -> FrontendResponse {
        try call.form.check(["service"])
        let session = try call.session()
        let name = try call.form.required("service")
        guard let template = try call.context.db.find(TemplateRecord.self, "name = \(name)") else {
            throw ClerkError.invalidValue("service", String(name.prefix(60)))
        }
        let jwt = try context.sessionTokens.token(
            of: session, user: try call.user(), template: template, audience: call.audience)
        return .bare(["object": "token", "jwt": .string(jwt)])
    }

    /// The user's sessions on all devices; the body is a bare list.
    func devices() throws -> FrontendResponse {
        let sessions = try context.sessions.live(of: try call.user())
        return .bare(.array(try sessions.map { try context.sessionJSON.device($0, audience: call.audience) }))
    }

    /// Ends a session of the same user on another device.
    func revoke() throws -> FrontendResponse {
        let own = try call.session()
        let id = call.request.piece("session_id")
        guard var session = try context.sessions.find(id), session.userID == own.userID else { throw ClerkError.notFound(id) }
        guard session.isLive, session.id != own.id else { throw ClerkError.sessionAction("revoke", id) }
        try context.sessions.end(&session, .revoked)
        return .resource(try context.sessionJSON.session(session, audience: call.audience))
    }

    /// Makes an organization the active one of the session, or the personal account where the name is empty.
    private func activate(_ name: String, in session: inout SessionRecord) throws {
        session.organizationID = try organization(name, of: session)
        guard session.organizationID != nil else { return }
        session.finish(SessionTask.chooseOrganization)
    }

    private func organization(_ name: String, of session: SessionRecord) throws -> String? {
        guard !name.isEmpty else { return nil }
        guard call.settings.organizations.isEnabled else { throw ClerkError.organizationsDisabled }
        let organizations = context.organizations
        guard let organization = try organizations.find(name),
            try organizations.membership(of: session.userID, in: organization.id) != nil
        else { throw ClerkError.noSuchOrganization }
        return organization.id
    }

    private func finish(_ status: SessionStatus) throws -> FrontendResponse {
        var session = try own()
        guard status == .removed || session.isLive else { throw ClerkError.sessionAction("end", session.id) }
        try context.sessions.end(&session, status)
        try call.reloadClient()
        return .resource(try context.sessionJSON.session(session, audience: call.audience))
    }

    /// The session of this client that the path names.
    private func own() throws -> SessionRecord {
        let id = call.request.piece("session_id")
        guard let client = call.client else { throw ClerkError.unauthenticated }
        guard let session = try context.sessions.find(id), session.clientID == client.id, session.status != .removed,
            session.status != .replaced
        else {
            throw ClerkError.notFound(id)
        }
        return session
    }

    /// The same, still signed in.
    private func live() throws -> SessionRecord {
        let session = try own()
        guard session.isLive else { throw ClerkError.unauthenticated }
        return session
    }
}
