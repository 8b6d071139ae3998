internal import LockstepCrypto
internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite
internal import LockstepTokens

/// `grant_type=id_token`: a token that a provider signed.
struct IDTokenGrant: FormerEndpoint {
    static let shape = BodySchema.go("IdTokenGrantParams", ["id_token": .text, "access_token": .text, "nonce": .text, "provider": .text, "client_id": .text, "issuer": .text, "link_identity": .flag])

    private static let bad = GoTrueError.oauth("invalid request", "Bad ID token")

    func answer(_ context: RequestContext) throws -> EmulatorResponse {
        let body = try Body(of: context.request, as: Self.shape)
        let token = body[text: "id_token"]
        guard !token.isEmpty else { throw GoTrueError.oauth("invalid request", "id_token required") }
        guard !body[text: "provider"].isEmpty || !(body[text: "client_id"].isEmpty || body[text: "issuer"].isEmpty) else {
            throw GoTrueError.oauth("invalid request", "provider or client_id and issuer required")
        }
        var owner: User?
        if (body.flag("link_identity") ?? false) {
            guard context.authenticator.token != nil else {
                throw GoTrueError.oauth("invalid request", "Linking requires a valid user access token in Authorization")
            }
            owner = try context.authenticator.requireUser()
        }
        let source = try IDTokenSource(
            provider: body[text: "provider"], issuer: body[text: "issuer"], client: body[text: "client_id"], token: token,
            context.settings)
        guard let claims = try context.providerClient.claims(ofIDToken: token, issuer: source.issuer) else { throw Self.bad }
        try check(claims, token, body, source)
        let person = ProviderClaims(idToken: claims, provider: source.provider)
        let outcome: ProviderSignIn.Outcome
        if let owner {
            outcome = try context.providerSignIn.link(person, at: source.provider, to: owner)
        } else {
            outcome = try context.providerSignIn.account(of: person, at: source.provider, allowsNoEmail: source.allowsNoEmail)
        }
        switch outcome {
        case .refused(let error): return context.response(to: error)
        case .signedIn(var user):
            return .go(try context.sessions.open(for: &user, by: .oauth).json)
        }
    }

    private func check(_ claims: JSONObject, _ token: String, _ body: Body, _ source: IDTokenSource) throws {
        let accessToken = body[text: "access_token"]
        if !accessToken.isEmpty, let expected = claims["at_hash"]?.string, !expected.isEmpty {
            guard Base64.encode(HashFunction.sha256.digest(accessToken).prefix(16), .url) == expected else { throw Self.bad }
        }
        guard claims["sub"]?.string?.isEmpty == false else {
            throw GoTrueError.oauth("invalid request", "Missing sub claim in id_token")
        }
        let audiences = claims["aud"]?.string.map { [$0] } ?? claims["aud"]?.array?.compactMap(\.string) ?? []
        guard audiences.contains(where: source.clients.contains) else {
            throw GoTrueError.oauth("invalid request", "Unacceptable audience in id_token: \(GoText.list(audiences))")
        }
        guard !source.skipsNonce else { return }
        let nonce = body[text: "nonce"]
        let expected = claims["nonce"]?.string ?? ""
        guard nonce.isEmpty == expected.isEmpty else {
            throw GoTrueError.oauth(
                "invalid request", "Passed nonce and nonce in id_token should either both exist or not.")
        }
        guard nonce.isEmpty || Hex.encode(HashFunction.sha256.digest(nonce)) == expected else {
            throw GoTrueError.oauth("invalid nonce", "Nonces mismatch")
        }
    }
}
