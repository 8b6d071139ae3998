internal import Lockstep
internal import LockstepPrimitives

/// A round trip through an identity provider's pages.
struct OAuthSignIn: SignInStrategy {
    let api: ClerkAPI

    /// What is noted of a flow while its round trip is under way.
    static let stage = "redirect"

    func begin(_ credential: OAuthCredential, for purpose: Purpose, in flow: FlowMemory) async throws(AuthError) -> SignInStep {
        try purpose.mustBeSignIn()
        guard let callback = api.configuration.callback else { throw .unsupported(.oauth, by: ClerkAdapter.name) }
        flow.prepareClient()
        let answer = try await api.begin(
            [("strategy", "oauth_\(credential.provider)"), ("redirect_url", callback.url)], in: flow)
        let attempt = try answer.resource()
        flow.note(.signIn, attempt["id"]?.string)
        flow.note(.stage, Self.stage)
        guard let url = attempt["first_factor_verification"]?["external_verification_redirect_url"]?.filled else {
            throw ErrorMapping.incomplete("the page to open")
        }
        return .redirect(RedirectStep(flow: flow.flow, url: url))
    }
}
