internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// The routes to an identity provider and back.
struct ProviderRoutes {
    let context: RequestContext

    /// Handles `GET /authorize`: redirects a person to a provider.
    func authorize() throws -> EmulatorResponse {
        .goRedirect(try context.providerRedirect.location(linkingUserID: nil), status: 302)
    }

    /// Handles `GET /user/identities/authorize`: redirects a signed-in person to a provider, to add an identity.
    func authorizeLink() throws -> EmulatorResponse {
        try context.providerSignIn.requireManualLinking()
        let location = try context.providerRedirect.location(linkingUserID: try context.user.id)
        if context.request.query["skip_http_redirect"] == "true" { return .go(["url": .string(location)] as JSONObject) }
        return .goRedirect(location, status: 302)
    }

    /// Handles `GET /callback`, and `POST` with a form, when a person returns from a provider.
    func callback() throws -> EmulatorResponse {
        let parameters = parameters
        let method = context.request.method
        let site = context.settings.siteURL
        let flow: FlowState
        do {
            flow = try self.flow(parameters["state"] ?? "")
        } catch let error as GoTrueError {
            return .goRedirect(RedirectResponses.stateError(error, site: site), status: 303, for: method)
        }
        let target = flow.target ?? site
        do {
            return .goRedirect(try finish(flow, parameters, target), status: 302, for: method)
        } catch let error as GoTrueError {
            throw Redirected(error: error, location: RedirectResponses.callbackError(error, at: target), status: 302)
        }
    }

    /// The pairs of a posted form, then those of the query, as in Go's `Request.Form`; no other body is read.
    private var parameters: Parameters {
        let request = context.request
        let isForm = request.method == "POST" && request.mediaType == "application/x-www-form-urlencoded"
        return isForm ? Parameters(request.form().pairs + request.query.pairs) : request.query
    }

    private func flow(_ state: String) throws -> FlowState {
        guard !state.isEmpty else { throw GoTrueError.noState }
        guard let id = UUIDText.normal(state) else { throw GoTrueError.malformedState }
        guard let flow = try context.db.find(FlowState.self, "id = \(id)"), flow.method == .oauth else {
            throw GoTrueError.unknownState
        }
        guard !flow.isExpired(at: context.now, life: context.settings.flowLife) else { throw GoTrueError.expiredState }
        guard flow.userID == nil else { throw GoTrueError.usedState }
        if let id = flow.linkingUserID, try context.db.user(id: id) == nil { throw GoTrueError.linkingUserNotFound }
        return flow
    }

    private func finish(_ flow: FlowState, _ parameters: Parameters, _ target: String) throws -> String {
        if let error = parameters["error"], !error.isEmpty {
            throw GoTrueError.oauth(error, parameters["error_description"] ?? "")
        }
        guard let code = parameters["code"], !code.isEmpty else { throw GoTrueError.noCode }
        var (person, tokens) = try context.providerClient.person(ofCode: code, at: flow.provider)
        if flow.provider == "apple" { person.addName(ofForm: parameters["user"] ?? "") }
        switch try outcome(of: flow, person) {
        case .refused(let error): return RedirectResponses.callbackError(error, at: target)
        case .signedIn(let found):
            var user = try context.users.reload(found)
            guard !flow.isProof else {
                var flow = flow
                flow.userID = user.id
                flow.codeIssuedAt = context.now
                flow.providerToken = tokens.access
                flow.providerRefreshToken = tokens.refresh
                try context.db.update(flow)
                return RedirectResponses.code(flow.code ?? "", at: target)
            }
            try context.db.delete(FlowState.self, "id = \(flow.id)")
            let session = try context.sessions.open(for: &user, by: .oauth)
            var extra = [(name: "provider_token", value: tokens.access)]
            if let refresh = tokens.refresh { extra.append(("provider_refresh_token", refresh)) }
            return RedirectResponses.session(session, at: target, extra: extra)
        }
    }

    private func outcome(of flow: FlowState, _ person: ProviderClaims) throws -> ProviderSignIn.Outcome {
        if let id = flow.linkingUserID, let owner = try context.db.user(id: id) {
            return try context.providerSignIn.link(person, at: flow.provider, to: owner)
        }
        if let invite = flow.inviteToken {
            return .signedIn(try context.providerSignIn.acceptInvite(invite, by: person, at: flow.provider))
        }
        let allowsNoEmail = context.settings.providers[flow.provider]?.allowsNoEmail ?? false
        return try context.providerSignIn.account(of: person, at: flow.provider, allowsNoEmail: allowsNoEmail)
    }
}
