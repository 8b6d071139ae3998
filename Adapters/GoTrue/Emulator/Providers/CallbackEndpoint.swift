internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// `GET /callback`, and `POST` with a form: a person returns from a provider.
struct CallbackEndpoint: Endpoint {
    func answer(_ turn: inout Turn, _ db: inout SQLiteConnection) throws -> EmulatorResponse {
        let parameters = turn.request.method == "POST" ? turn.request.form() : turn.request.query
        let site = turn.settings.siteURL
        let flow: FlowState
        do {
            flow = try self.flow(parameters["state"] ?? "", turn, &db)
        } catch let error as GoTrueError {
            return .goRedirect(RedirectAnswers.stateError(error, site: site), status: 303)
        }
        let target = flow.target ?? site
        do {
            return .goRedirect(try finish(flow, parameters, target, &turn, &db), status: 302)
        } catch let error as GoTrueError {
            throw Redirected(error: error, location: RedirectAnswers.callbackError(error, at: target), status: 302)
        }
    }

    private func flow(_ state: String, _ turn: Turn, _ db: inout SQLiteConnection) throws -> FlowState {
        guard !state.isEmpty else { throw GoTrueError.bad(.badOAuthCallback, "OAuth state parameter missing") }
        guard let id = UUIDText.normal(state) else {
            throw GoTrueError.bad(.badOAuthState, "OAuth state parameter is invalid")
        }
        guard let flow = try db.flow(id: id), flow.method == .oauth else {
            throw GoTrueError.bad(.badOAuthState, "OAuth state not found or expired")
        }
        guard !flow.isExpired(at: turn.now, life: turn.settings.flowLife) else {
            throw GoTrueError.bad(.badOAuthState, "OAuth state has expired")
        }
        guard flow.userID == nil else {
            throw GoTrueError.bad(.flowStateAlreadyUsed, "State has already been used")
        }
        if let id = flow.linkingUserID, try db.user(id: id) == nil {
            throw GoTrueError.unprocessable(.userNotFound, "Linking target user not found")
        }
        return flow
    }

    private func finish(
        _ flow: FlowState, _ parameters: Parameters, _ target: String, _ turn: inout Turn, _ db: inout SQLiteConnection
    ) throws -> String {
        if let error = parameters["error"], !error.isEmpty {
            throw GoTrueError.oauth(error, parameters["error_description"] ?? "")
        }
        guard let code = parameters["code"], !code.isEmpty else {
            throw GoTrueError.bad(.badOAuthCallback, "OAuth callback with missing authorization code missing")
        }
        let (person, tokens) = try ask(flow, code, turn)
        var outcome: Turn.ProviderOutcome
        if let id = flow.linkingUserID, let owner = try db.user(id: id) {
            outcome = try turn.link(person, at: flow.provider, to: owner, &db)
        } else if let invite = flow.inviteToken {
            outcome = .signedIn(try turn.acceptInvite(invite, by: person, at: flow.provider, &db))
        } else {
            let allowsNoEmail = turn.settings.providers[flow.provider]?.allowsNoEmail ?? false
            outcome = try turn.account(of: person, at: flow.provider, allowsNoEmail: allowsNoEmail, &db)
        }
        if case .signedIn(let user) = outcome { outcome = .signedIn(try turn.reload(user, &db)) }
        switch outcome {
        case .refused(let error): return RedirectAnswers.callbackError(error, at: target)
        case .signedIn(var user):
            guard !flow.isProof else {
                var flow = flow
                flow.userID = user.id
                flow.codeIssuedAt = turn.now
                flow.providerToken = tokens.access
                flow.providerRefreshToken = tokens.refresh
                try db.save(flow)
                return RedirectAnswers.code(flow.code ?? "", at: target)
            }
            try db.deleteFlow(id: flow.id)
            let session = try turn.openSession(for: &user, by: .oauth, &db)
            var extra = [(name: "provider_token", value: tokens.access)]
            if let refresh = tokens.refresh { extra.append(("provider_refresh_token", refresh)) }
            return RedirectAnswers.session(session, at: target, extra: extra)
        }
    }

    /// Exchanges the code, and loads the person's profile.
    private func ask(
        _ flow: FlowState, _ code: String, _ turn: Turn
    ) throws -> (ProviderClaims, (access: String, refresh: String?)) {
        let provider = try ProviderRedirect.provider(flow.provider, turn.settings)
        let endpoints = ProviderEndpoints(provider)
        let form = [
            ("grant_type", "authorization_code"), ("code", code),
            ("redirect_uri", provider.redirectURL ?? turn.core.base + "/callback"),
        ]
        let answer = try turn.post(
            endpoints.token, form: form.map { (name: $0.0, value: $0.1) }, user: provider.clients.first ?? "",
            password: provider.secret?.reveal() ?? "")
        guard let answer, let access = answer["access_token"]?.string, !access.isEmpty else {
            throw GoTrueError.failure("Unable to exchange external code: \(code)")
        }
        guard let info = try turn.fetch(endpoints.userInfo, headers: ["Authorization": "Bearer \(access)"]) else {
            throw GoTrueError.failure("Error getting user profile from external provider")
        }
        let person = ProviderClaims(userInfo: info, issuer: provider.issuer ?? "")
        guard person.email != nil || provider.allowsNoEmail else {
            throw GoTrueError.failure("Error getting user email from external provider")
        }
        return (person, (access, answer["refresh_token"]?.string))
    }
}
