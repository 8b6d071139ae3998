internal import Lockstep

struct AnonymousSignIn: SignInStrategy {
    let link: InMemoryLink

    func begin(
        _ credential: AnonymousCredential, for purpose: CredentialPurpose, in flow: FlowMemory
    ) async throws(AuthError) -> AuthStep {
        .complete(link.session(try await link.backend.makeGuest()))
    }
}
