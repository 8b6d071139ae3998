internal import Lockstep

struct OAuthSignIn: SignInStrategy {
    let link: InMemoryLink

    func begin(_ credential: OAuthCredential, for purpose: CredentialPurpose, in flow: FlowMemory) async throws(AuthError)
        -> SignInStep
    {
        let trip = try await link.backend.beginRoundTrip(
            credential.provider, kind: flow.flow.kind, target: InMemoryIdentityTarget(purpose))
        flow[FlowMemory.stateNote] = trip.state
        return .redirect(RedirectStep(flow: flow.flow, url: trip.page))
    }
}
