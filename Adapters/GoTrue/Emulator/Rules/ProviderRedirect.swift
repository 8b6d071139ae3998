internal import LockstepCrypto
internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// The provider's URL at which a flow starts.
struct ProviderRedirect {
    let context: RequestContext

    /// Returns the address.
    ///
    /// - `linkingUserID`: The signed-in user who adds the provider; `nil` for a sign-in.
    func location(linkingUserID: String?) throws -> String {
        let query = context.request.query
        let name = (query["provider"] ?? "").lowercased()
        let provider = try Self.provider(query["provider"] ?? "", context.settings)
        let invite = query["invite_token"] ?? ""
        if !invite.isEmpty, try context.db.user(linkHash: invite, [.confirmation]) == nil {
            throw GoTrueError.invitedUserNotFound
        }
        let proof = try ProofKey(challenge: query["code_challenge"] ?? "", method: query["code_challenge_method"] ?? "")
        if let proof, !proof.isKnown { throw GoTrueError.invalid("Invalid code_challenge_method") }
        let flow = FlowState(
            id: context.uuid(), code: proof == nil ? nil : context.uuid(), challengeMethod: proof?.method,
            challenge: proof?.challenge,
            provider: name, method: .oauth, target: context.target, inviteToken: invite.isEmpty ? nil : invite,
            linkingUserID: linkingUserID, createdAt: context.now)
        try context.db.insert(flow)
        var form = GoForm()
        form.set("client_id", provider.clients.first ?? "")
        form.set("redirect_uri", provider.redirectURL ?? context.state.base + "/callback")
        form.set("response_type", "code")
        let page = page(name, provider, &form)
        let scopes = page.scopes + (page.addsScopes ? (query["scopes"] ?? "").pieces(at: ",").map(String.init) : [])
        if !scopes.isEmpty { form.set("scope", scopes.joined(separator: " ")) }
        form.set("state", flow.id)
        // All other parameters are passed on, and override existing ones.
        let own = ["provider", "scopes", "code_challenge", "code_challenge_method"]
        for (name, value) in query.pairs where !own.contains(name) {
            form.set(name == "workos_provider" ? "provider" : name, value)
        }
        return page.address + "?" + form.text
    }

    /// Returns the page to which a person is redirected: of the local issuer, or else of the provider itself, which
    /// this server never calls.
    private func page(
        _ name: String, _ provider: ProviderSettings, _ form: inout GoForm
    ) -> (address: String, scopes: [String], addsScopes: Bool) {
        guard let place = ProviderPlace.of(name), !provider.hasLocalIssuer else {
            return (ProviderEndpoints(provider).authorization, ["profile", "email"], true)
        }
        for (name, value) in place.parameters { form.set(name, value) }
        if place.wantsProofKey {
            // The verifier is not stored, because only the provider itself could use it.
            let verifier = Base64.encode(context.randomness.bytes(32), .url)
            form.set("code_challenge", Base64.encode(HashFunction.sha256.digest(verifier), .url))
            form.set("code_challenge_method", "S256")
        }
        return (place.address(on: provider.issuer), place.scopes, place.addsScopes)
    }

    static func provider(_ name: String, _ settings: GoTrueSettings) throws -> ProviderSettings {
        let key = name.lowercased()
        if key.hasPrefix("custom:") { throw GoTrueError.invalid("Unsupported provider: custom provider \(key) not found") }
        guard GoTrueSettings.providerNames.contains(key) else {
            throw GoTrueError.invalid("Unsupported provider: Provider \(key) could not be found")
        }
        guard let provider = settings.providers[key], provider.isEnabled else {
            throw GoTrueError.invalid("Unsupported provider: provider is not enabled")
        }
        guard !provider.clients.isEmpty else { throw GoTrueError.invalid("Unsupported provider: missing OAuth client ID") }
        guard provider.secret != nil else { throw GoTrueError.invalid("Unsupported provider: missing OAuth secret") }
        if provider.issuer == nil, ProviderPlace.of(key) == nil {
            let reason =
                key == "keycloak"
                ? "unable to find URL for the Keycloak provider"
                : "\(key) needs a local issuer here, set its URL: by OAuth 1.0 the provider is asked first"
            throw GoTrueError.invalid("Unsupported provider: \(reason)")
        }
        return provider
    }
}

/// The URLs of an OpenID provider, which have the same paths as Keycloak's.
struct ProviderEndpoints {
    let issuer: String

    init(_ provider: ProviderSettings) {
        let text = provider.issuer ?? ""
        issuer = text.hasSuffix("/") ? String(text.dropLast()) : text
    }

    var authorization: String { issuer + "/protocol/openid-connect/auth" }
    var token: String { issuer + "/protocol/openid-connect/token" }
    var userInfo: String { issuer + "/protocol/openid-connect/userinfo" }
}
