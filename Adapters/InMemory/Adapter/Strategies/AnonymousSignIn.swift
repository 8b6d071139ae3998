internal import Lockstep

struct AnonymousSignIn: SignInStrategy {
    let link: InMemoryLink

    func begin(
        _ credential: AnonymousCredential, for purpose: CredentialPurpose, in flow: FlowMemory
    ) async throws(AuthError) -> SignInStep {
        switch purpose {
        case .signUp, .signIn: return .complete(link.session(try await link.backend.makeGuest()))
        case .link, .reauthenticate:
            throw AuthError(
                .unsupported, "A guest's account cannot be linked to another. Link a credential to the guest instead.")
        }
    }
}
