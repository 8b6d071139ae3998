internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepTokens

/// The requests to identity providers: for tokens, profiles and keys.
struct ProviderClient {
    let context: RequestContext

    private var client: OpenIDClient<ServerState> { OpenIDClient(context) { try GoJSON.parse($0) } }

    /// Exchanges a code, and loads the person's profile.
    func person(ofCode code: String, at name: String) throws -> (ProviderClaims, (access: String, refresh: String?)) {
        let provider = try ProviderRedirect.provider(name, context.settings)
        // Only an issuer on this machine is called. For any other, the response is that it cannot be reached.
        guard provider.hasLocalIssuer else { throw GoTrueError.failure("Unable to exchange external code: \(code)") }
        let endpoints = ProviderEndpoints(provider)
        let answer = try client.tokens(
            for: code, at: endpoints.token,
            // golang.org/x/oauth2 tries this first: the client's credentials in the header.
            as: .basic(id: provider.clients.first ?? "", secret: provider.secret ?? ""),
            redirect: provider.redirectURL ?? context.state.base + "/callback")
        guard let tokens = try? answer.get(), let access = tokens.access else {
            throw GoTrueError.failure("Unable to exchange external code: \(code)")
        }
        guard case .success(let info) = try client.object(at: endpoints.userInfo, token: access) else {
            throw GoTrueError.failure("Error getting user profile from external provider")
        }
        let person = ProviderClaims(userInfo: info, issuer: provider.issuer ?? "")
        guard person.email != nil || provider.allowsNoEmail else {
            throw GoTrueError.failure("Error getting user email from external provider")
        }
        return (person, (access, tokens.refresh))
    }

    /// Returns the person of an ID token that its provider has signed.
    func person(ofIDToken token: String, _ source: IDTokenSource, accessToken: String, nonce: String) throws -> ProviderClaims {
        guard let claims = try claims(ofIDToken: token, issuer: source.issuer) else { throw IDTokenSource.badToken }
        try source.check(claims, accessToken: accessToken, nonce: nonce)
        return ProviderClaims(idToken: claims, provider: source.provider)
    }

    /// Returns the claims of a valid ID token with its issuer's signature.
    private func claims(ofIDToken token: String, issuer: String) throws -> JSONObject? {
        guard let unverified = try? UnverifiedToken(token), unverified.claims["iss"]?.string == issuer else { return nil }
        let claims = try client.claims(of: token, from: issuer, context.state.issuerKeys) {
            let configuration = try client.configuration(at: OpenIDConfiguration.address(of: issuer))
            return (try? configuration.get())?.keys
        }
        let time = Double(context.now.milliseconds) / 1000
        guard let claims, let expiry = claims["exp"]?.double, time < expiry else { return nil }
        if let start = claims["nbf"]?.double, time + 300 < start { return nil }
        return claims
    }
}
