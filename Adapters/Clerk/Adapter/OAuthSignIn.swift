internal import Lockstep
internal import LockstepPrimitives
internal import LockstepWire

/// A round trip through an identity provider's pages.
struct OAuthSignIn: SignInStrategy {
    let api: ClerkAPI

    /// Values that a flow keeps during a round trip.
    static let stage = "redirect"

    func begin(_ credential: OAuthCredential, for purpose: CredentialPurpose, in flow: FlowMemory) async throws(AuthError)
        -> SignInStep
    {
        try purpose.mustBeSignIn()
        guard let callback = api.configuration.callback else { throw .unsupported(.oauth, by: ClerkAdapter.name) }
        let further = try Self.further(credential)
        flow.prepareClient()
        let response = try await api.begin(
            [("strategy", "oauth_\(credential.provider)"), ("redirect_url", callback.url)] + further, in: flow)
        let attempt = try response.resource()
        flow[.signIn] = attempt["id"]?.string
        flow[.stage] = Self.stage
        guard let url = attempt["first_factor_verification"]?["external_verification_redirect_url"]?.filled else {
            throw ErrorMapping.incomplete("the page to open")
        }
        return .redirect(RedirectStep(flow: flow.flow, url: url))
    }

    /// What Clerk's sign-ins pass on to a provider's page (reference: FAPI `sign_ins`): two parameters, and no scopes.
    private static func further(_ credential: OAuthCredential) throws(AuthError) -> [(name: String, value: String)] {
        guard credential.scopes.isEmpty else {
            throw AuthError(
                .unsupported, "Clerk takes the scopes of a sign-in from the instance's settings of the provider. Give none here.")
        }
        var form: [(name: String, value: String)] = []
        for (name, value) in credential.parameters.sorted(by: { $0.key < $1.key }) {
            guard ["prompt", "login_hint"].contains(name) else {
                throw AuthError(
                    .unsupported, "Clerk passes on the parameters prompt and login_hint, and not \(name). Leave it out.")
            }
            form.append(("oidc_" + name, value))
        }
        return form
    }
}
