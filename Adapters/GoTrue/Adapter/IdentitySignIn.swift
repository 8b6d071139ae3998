internal import Lockstep
internal import LockstepHTTP
internal import LockstepPrimitives
internal import LockstepWire

/// The ID token of an identity provider.
struct IDTokenSignIn: SignInStrategy {
    let api: GoTrueAPI

    func supports(_ purpose: CredentialPurpose) -> Bool { true }

    func begin(_ credential: IDTokenCredential, for purpose: CredentialPurpose, in flow: FlowMemory) async throws(AuthError)
        -> AuthStep
    {
        flow.prepare(for: purpose)
        var body: JSONObject = [
            "provider": .string(credential.provider.rawValue), "id_token": .string(credential.token.reveal()),
        ]
        if let nonce = credential.nonce { body["nonce"] = .string(nonce.reveal()) }
        var linked: Session?
        if case .link(let session) = purpose {
            linked = session
            body["link_identity"] = true
        }
        let session: Session
        do {
            let response = try await api.call(
                .post, "/token", query: ["grant_type": "id_token"], body: body, as: linked?.accessToken)
            session = try api.session(from: response)
        } catch {
            guard let linked, error.code == .identityAlreadyInUse else { throw error }
            // GoTrue returns the same error for the user's own identity. Without this check, a link whose response was
            // lost could not be repeated.
            let user = try await api.user(as: linked.accessToken)
            if user.has(credential) { return .complete(api.outdated(linked, user: user)) }
            return .identityConflict(
                IdentityConflictStep(flow: flow.flow, currentUserID: linked.user.id, signInMethods: [.idToken]))
        }
        return try await api.step(for: try await named(session, by: credential, for: purpose), in: flow)
    }

    /// Stores the name, which the provider sends only once, for a user who has none.
    ///
    /// GoTrue reads names only from tokens, and not when it links an identity.
    private func named(_ session: Session, by credential: IDTokenCredential, for purpose: CredentialPurpose)
        async throws(AuthError)
        -> Session
    {
        guard session.user.displayName == nil else { return session }
        var name = credential.name
        switch purpose {
        case .signUp(let profile): name = name ?? profile.displayName
        case .link: name = name ?? CompactToken.unverifiedClaims(of: credential.token.reveal())?["name"]?.filled
        case .signIn, .reauthenticate: break
        }
        guard let name, !name.isEmpty else { return session }
        let data: JSON = ["display_name": .string(name)]
        do {
            let response = try await api.call(.put, "/user", body: ["data": data], as: session.accessToken)
            return api.outdated(session, user: try User(goTrue: response.object))
        } catch {
            // If the whole call were repeated with the same token, this session would remain.
            await api.leave(session)
            throw error
        }
    }
}

extension User {
    /// Whether the identity of this token belongs to the user.
    fileprivate func has(_ credential: IDTokenCredential) -> Bool {
        guard let subject = CompactToken.unverifiedClaims(of: credential.token.reveal())?["sub"]?.filled else { return false }
        return goTrue.identities.contains { $0.provider == credential.provider.rawValue && $0.providerID?.exact == subject.exact }
    }
}

/// A ticket of the app's own server: the `hashed_token` from an administrator's `generate_link` for a magic link.
struct TicketSignIn: SignInStrategy {
    let api: GoTrueAPI

    /// Tickets are only for existing accounts.
    func supports(_ purpose: CredentialPurpose) -> Bool {
        switch purpose {
        case .signIn, .reauthenticate: true
        case .signUp, .link: false
        }
    }

    func begin(_ credential: TicketCredential, for purpose: CredentialPurpose, in flow: FlowMemory) async throws(AuthError)
        -> AuthStep
    {
        flow.prepare(for: purpose)
        let body: JSONObject = ["type": "email", "token_hash": .string(credential.token.reveal())]
        do {
            return try await api.step(for: try api.session(from: try await api.call(.post, "/verify", body: body)), in: flow)
        } catch  where error.provider?.code == "otp_expired" {
            var error = error
            error.code = .invalidCredentials
            error.message = "The ticket is wrong, was already used, or has expired. Request a new ticket from your server."
            error.remedies = [.startAgain]
            throw error
        }
    }
}

/// A redirect through an identity provider's pages, with PKCE.
struct OAuthSignIn: SignInStrategy {
    let api: GoTrueAPI

    func supports(_ purpose: CredentialPurpose) -> Bool { true }

    func begin(_ credential: OAuthCredential, for purpose: CredentialPurpose, in flow: FlowMemory) async throws(AuthError)
        -> AuthStep
    {
        guard let callback = api.configuration.callback else { throw .unsupported(.oauth, by: GoTrueAdapter.name) }
        flow.prepare(for: purpose)
        let key = ProofKey(api.randomness)
        var query: HTTPForm = ["provider": credential.provider.rawValue, "redirect_to": callback.url]
        if !credential.scopes.isEmpty { query.append("scopes", credential.scopes.joined(separator: " ")) }
        // The server passes on unknown parameters (`internal/api/external.go`).
        for (name, value) in credential.parameters.sorted(by: { $0.key < $1.key }) { query.append(name, value) }
        query.append("code_challenge", key.challenge)
        query.append("code_challenge_method", "s256")
        let page: String
        if case .link(let session) = purpose {
            query.append("skip_http_redirect", "true")
            let response = try await api.call(.get, "/user/identities/authorize", query: query, as: session.accessToken)
            guard let url = response.object["url"]?.filled else { throw ErrorMapping.incomplete("the page's address") }
            page = url
        } else {
            page = HTTPRequest(.get, api.configuration.url + "/authorize", query: query).url
        }
        flow[.verifier] = key.verifier
        return .redirect(RedirectStep(flow: flow.flow, url: page))
    }
}
