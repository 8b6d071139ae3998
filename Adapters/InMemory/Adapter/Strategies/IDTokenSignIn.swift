internal import Lockstep

struct IDTokenSignIn: SignInStrategy {
    let link: InMemoryLink

    func begin(_ credential: IDTokenCredential, for purpose: Purpose, in flow: FlowMemory) async throws(AuthError) -> SignInStep {
        let target: InMemoryIdentityTarget =
            switch purpose {
            case .signUp, .signIn: .anyUser
            case .link(let session): .link(to: session.accessToken)
            case .reauthenticate(let session): .sameUser(as: session.accessToken)
            }
        return link.step(try await link.backend.signIn(credential, target: target), flow)
    }
}
