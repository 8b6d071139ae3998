internal import Lockstep
internal import LockstepPrimitives

/// A ticket that the team's server has made: for a sign-in, or as an invitation for a sign-up.
struct TicketSignIn: SignInStrategy {
    let api: ClerkAPI

    func begin(_ credential: TicketCredential, for purpose: CredentialPurpose, in flow: FlowMemory) async throws(AuthError)
        -> SignInStep
    {
        let form = [(name: "strategy", value: "ticket"), (name: "ticket", value: credential.token.reveal())]
        if case .signUp(let profile) = purpose { return try await api.signUp(form, profile, in: flow) }
        try purpose.mustBeSignIn()
        flow.prepareClient()
        let response = try await api.begin(form, in: flow)
        return try await api.step(ofSignIn: response, in: flow)
    }
}
