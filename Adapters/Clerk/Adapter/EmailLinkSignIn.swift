internal import Lockstep
internal import LockstepPrimitives

/// A link by e-mail that opens the app; what it carries is worth nothing without the verifier that this device keeps.
struct EmailLinkSignIn: SignInStrategy {
    let api: ClerkAPI

    func begin(_ credential: EmailLinkCredential, for purpose: Purpose, in flow: FlowMemory) async throws(AuthError) -> SignInStep
    {
        try purpose.mustBeSignIn()
        guard let callback = api.configuration.callback else { throw .unsupported(.emailLinkSignIn, by: ClerkAdapter.name) }
        flow.prepareClient()
        let answer = try await api.begin([("identifier", credential.email)], in: flow)
        let attempt = try answer.resource()
        flow.note(.signIn, attempt["id"]?.string)
        guard let factor = attempt.factor("supported_first_factors", "email_link") else {
            throw ClerkAPI.notOffered("email_link")
        }
        let key = ProofKey(api.randomness)
        flow[.verifier] = key.verifier
        return .verify(
            try await api.send(
                .firstFactor, "email_link", factor, in: flow,
                also: [("redirect_uri", callback.url), ("code_challenge", key.challenge), ("code_challenge_method", "S256")]))
    }
}
