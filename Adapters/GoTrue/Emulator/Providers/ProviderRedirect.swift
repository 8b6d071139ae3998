internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// The provider's address that a flow starts at.
struct ProviderRedirect {
    let linkingUserID: String?

    func location(_ turn: inout Turn, _ db: inout SQLiteConnection) throws -> String {
        let query = turn.request.query
        let name = (query["provider"] ?? "").lowercased()
        let provider = try Self.provider(query["provider"] ?? "", turn.settings)
        let invite = query["invite_token"] ?? ""
        if !invite.isEmpty, try db.user(linkHash: invite, [.confirmation]) == nil {
            throw GoTrueError.notFound(.userNotFound, "User identified by token not found")
        }
        let proof = try ProofKey(challenge: query["code_challenge"] ?? "", method: query["code_challenge_method"] ?? "")
        if let proof, !proof.isKnown { throw GoTrueError.invalid("Invalid code_challenge_method") }
        let flow = FlowState(
            id: turn.uuid(), code: proof == nil ? nil : turn.uuid(), challengeMethod: proof?.method, challenge: proof?.challenge,
            provider: name, method: .oauth, target: turn.target, inviteToken: invite.isEmpty ? nil : invite,
            linkingUserID: linkingUserID, createdAt: turn.now)
        try db.insert(flow)
        let endpoints = ProviderEndpoints(provider)
        var form = GoForm()
        form.set("client_id", provider.clients.first ?? "")
        form.set("redirect_uri", provider.redirectURL ?? turn.core.base + "/callback")
        form.set("response_type", "code")
        let asked = (query["scopes"] ?? "").split(separator: ",").map(String.init)
        form.set("scope", (["profile", "email"] + asked.filter { !["profile", "email"].contains($0) }).joined(separator: " "))
        form.set("state", flow.id)
        // All other parameters are passed on, and override existing ones.
        let own = ["provider", "scopes", "code_challenge", "code_challenge_method", "invite_token"]
        for (name, value) in query.pairs where !own.contains(name) { form.set(name, value) }
        return endpoints.authorization + "?" + form.text
    }

    static func provider(_ name: String, _ settings: GoTrueSettings) throws -> ProviderSettings {
        let key = name.lowercased()
        if key.hasPrefix("custom:") {
            throw GoTrueError.invalid("Unsupported provider: custom provider \(key) not found")
        }
        guard GoTrueSettings.providerNames.contains(key) else {
            throw GoTrueError.invalid("Unsupported provider: Provider \(key) could not be found")
        }
        guard let provider = settings.providers[key], provider.isEnabled else {
            throw GoTrueError.invalid("Unsupported provider: provider is not enabled")
        }
        guard !provider.clients.isEmpty else { throw GoTrueError.invalid("Unsupported provider: missing OAuth client ID") }
        guard provider.secret != nil else { throw GoTrueError.invalid("Unsupported provider: missing OAuth secret") }
        guard provider.issuer != nil else {
            throw GoTrueError.invalid("Unsupported provider: \(key) needs a local issuer here, set its URL")
        }
        return provider
    }
}
