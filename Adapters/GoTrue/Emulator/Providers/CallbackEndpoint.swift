internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// `GET /callback`, and `POST` with a form: a person returns from a provider.
struct CallbackEndpoint: FormerEndpoint {
    func answer(_ context: RequestContext) throws -> EmulatorResponse {
        let parameters = Self.parameters(context.request)
        let method = context.request.method
        let site = context.settings.siteURL
        let flow: FlowState
        do {
            flow = try self.flow(parameters["state"] ?? "", context)
        } catch let error as GoTrueError {
            return .goRedirect(RedirectResponses.stateError(error, site: site), status: 303, for: method)
        }
        let target = flow.target ?? site
        do {
            return .goRedirect(try finish(flow, parameters, target, context), status: 302, for: method)
        } catch let error as GoTrueError {
            throw Redirected(error: error, location: RedirectResponses.callbackError(error, at: target), status: 302)
        }
    }

    /// The pairs of a posted form, then those of the query, as Go's `Request.Form` has them; no other body is read.
    private static func parameters(_ request: EmulatorRequest) -> Parameters {
        let isForm = request.method == "POST" && request.mediaType == "application/x-www-form-urlencoded"
        return isForm ? Parameters(request.form().pairs + request.query.pairs) : request.query
    }

    private func flow(_ state: String, _ context: RequestContext) throws -> FlowState {
        guard !state.isEmpty else { throw GoTrueError.bad(.badOAuthCallback, "OAuth state parameter missing") }
        guard let id = UUIDText.normal(state) else {
            throw GoTrueError.bad(.badOAuthState, "OAuth state parameter is invalid")
        }
        guard let flow = try context.db.flow(id: id), flow.method == .oauth else {
            throw GoTrueError.bad(.badOAuthState, "OAuth state not found or expired")
        }
        guard !flow.isExpired(at: context.now, life: context.settings.flowLife) else {
            throw GoTrueError.bad(.badOAuthState, "OAuth state has expired")
        }
        guard flow.userID == nil else {
            throw GoTrueError.bad(.flowStateAlreadyUsed, "State has already been used")
        }
        if let id = flow.linkingUserID, try context.db.user(id: id) == nil {
            throw GoTrueError.unprocessable(.userNotFound, "Linking target user not found")
        }
        return flow
    }

    private func finish(
        _ flow: FlowState, _ parameters: Parameters, _ target: String, _ context: RequestContext
    ) throws -> String {
        if let error = parameters["error"], !error.isEmpty {
            throw GoTrueError.oauth(error, parameters["error_description"] ?? "")
        }
        guard let code = parameters["code"], !code.isEmpty else {
            throw GoTrueError.bad(.badOAuthCallback, "OAuth callback with missing authorization code missing")
        }
        let (profile, tokens) = try ask(flow, code, context)
        var person = profile
        if flow.provider == "apple" { person.addName(ofForm: parameters["user"] ?? "") }
        var outcome: ProviderSignIn.Outcome
        if let id = flow.linkingUserID, let owner = try context.db.user(id: id) {
            outcome = try context.providerSignIn.link(person, at: flow.provider, to: owner)
        } else if let invite = flow.inviteToken {
            outcome = .signedIn(try context.providerSignIn.acceptInvite(invite, by: person, at: flow.provider))
        } else {
            let allowsNoEmail = context.settings.providers[flow.provider]?.allowsNoEmail ?? false
            outcome = try context.providerSignIn.account(of: person, at: flow.provider, allowsNoEmail: allowsNoEmail)
        }
        if case .signedIn(let user) = outcome { outcome = .signedIn(try context.accounts.reload(user)) }
        switch outcome {
        case .refused(let error): return RedirectResponses.callbackError(error, at: target)
        case .signedIn(var user):
            guard !flow.isProof else {
                var flow = flow
                flow.userID = user.id
                flow.codeIssuedAt = context.now
                flow.providerToken = tokens.access
                flow.providerRefreshToken = tokens.refresh
                try context.db.save(flow)
                return RedirectResponses.code(flow.code ?? "", at: target)
            }
            try context.db.deleteFlow(id: flow.id)
            let session = try context.sessions.open(for: &user, by: .oauth)
            var extra = [(name: "provider_token", value: tokens.access)]
            if let refresh = tokens.refresh { extra.append(("provider_refresh_token", refresh)) }
            return RedirectResponses.session(session, at: target, extra: extra)
        }
    }

    /// Exchanges the code, and loads the person's profile.
    private func ask(
        _ flow: FlowState, _ code: String, _ context: RequestContext
    ) throws -> (ProviderClaims, (access: String, refresh: String?)) {
        let provider = try ProviderRedirect.provider(flow.provider, context.settings)
        // Only an issuer on this machine is asked: of the others the answer is that they cannot be reached.
        guard provider.hasLocalIssuer else { throw GoTrueError.failure("Unable to exchange external code: \(code)") }
        let endpoints = ProviderEndpoints(provider)
        let form = [
            ("grant_type", "authorization_code"), ("code", code),
            ("redirect_uri", provider.redirectURL ?? context.state.base + "/callback"),
        ]
        let response = try context.providerClient.post(
            endpoints.token, form: form.map { (name: $0.0, value: $0.1) }, user: provider.clients.first ?? "",
            password: provider.secret?.reveal() ?? "")
        guard let response, let access = response["access_token"]?.string, !access.isEmpty else {
            throw GoTrueError.failure("Unable to exchange external code: \(code)")
        }
        guard let info = try context.providerClient.fetch(endpoints.userInfo, headers: ["Authorization": "Bearer \(access)"])
        else {
            throw GoTrueError.failure("Error getting user profile from external provider")
        }
        let person = ProviderClaims(userInfo: info, issuer: provider.issuer ?? "")
        guard person.email != nil || provider.allowsNoEmail else {
            throw GoTrueError.failure("Error getting user email from external provider")
        }
        return (person, (access, response["refresh_token"]?.string))
    }
}
