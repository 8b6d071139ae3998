internal import Lockstep
internal import LockstepPrimitives

/// A link by e-mail that opens the app; it is useless without the verifier that this device keeps.
struct EmailLinkSignIn: SignInStrategy {
    let api: ClerkAPI

    func begin(_ credential: EmailLinkCredential, for purpose: CredentialPurpose, in flow: FlowMemory) async throws(AuthError)
        -> SignInStep
    {
        if case .signUp(let profile) = purpose {
            return try await api.signUp([(AddressKind.email.rawValue, credential.email)], profile, in: flow)
        }
        try purpose.mustBeSignIn()
        flow.prepareClient()
        let response = try await api.begin([("identifier", credential.email)], in: flow)
        let attempt = try response.resource()
        flow[.signIn] = attempt["id"]?.string
        guard let factor = attempt.factor("supported_first_factors", ClerkAPI.link) else {
            throw ClerkAPI.notOffered(ClerkAPI.link)
        }
        return .verify(try await api.send(.firstFactor, ClerkAPI.link, factor, in: flow))
    }
}
