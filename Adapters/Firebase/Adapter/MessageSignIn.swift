internal import Lockstep
internal import LockstepPrimitives

/// A link by e-mail.
///
/// Firebase always makes an account for an unknown address. Which address a link is for is never read from the link.
struct EmailLinkSignIn: SignInStrategy {
    let api: FirebaseAPI

    func takes(_ purpose: CredentialPurpose) -> Bool { true }

    func begin(_ credential: EmailLinkCredential, for purpose: CredentialPurpose, in flow: FlowMemory) async throws(AuthError)
        -> SignInStep
    {
        flow.prepare(for: purpose)
        flow[.newName] = purpose.displayName
        return .verify(try await api.send(.signIn, to: credential.email, in: flow))
    }
}
