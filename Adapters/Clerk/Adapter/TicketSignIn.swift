internal import Lockstep
internal import LockstepPrimitives

/// A ticket that the team's server has made.
struct TicketSignIn: SignInStrategy {
    let api: ClerkAPI

    func begin(_ credential: TicketCredential, for purpose: Purpose, in flow: FlowMemory) async throws(AuthError) -> SignInStep {
        try purpose.mustBeSignIn()
        flow.prepareClient()
        let answer = try await api.begin([("strategy", "ticket"), ("ticket", credential.token.reveal())], in: flow)
        return try await api.step(ofSignIn: answer, in: flow)
    }
}
