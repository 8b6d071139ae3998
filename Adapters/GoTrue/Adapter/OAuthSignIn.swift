internal import Lockstep
internal import LockstepHTTP
internal import LockstepPrimitives
internal import LockstepWire

/// A round trip through an identity provider's pages, with PKCE.
struct OAuthSignIn: SignInStrategy {
    let api: GoTrueAPI

    func begin(_ credential: OAuthCredential, for purpose: CredentialPurpose, in flow: FlowMemory) async throws(AuthError)
        -> SignInStep
    {
        guard let callback = api.configuration.callback else { throw .unsupported(.oauth, by: GoTrueAdapter.name) }
        flow.prepare(for: purpose)
        let key = ProofKey(api.randomness)
        var query: HTTPForm = ["provider": credential.provider.rawValue, "redirect_to": callback.url]
        if !credential.scopes.isEmpty { query.append("scopes", credential.scopes.joined(separator: " ")) }
        // The server passes on parameters that it does not know (reference: section 2.9).
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
