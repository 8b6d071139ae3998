internal import Lockstep
internal import LockstepPrimitives

/// A link by e-mail.
///
/// The same message may hold a code, which is taken as well.
struct EmailLinkSignIn: SignInStrategy {
    let api: GoTrueAPI

    func begin(_ credential: EmailLinkCredential, for purpose: CredentialPurpose, in flow: FlowMemory) async throws(AuthError)
        -> SignInStep
    {
        try await api.signIn(byMailTo: credential.email, createsAccount: credential.createsAccount, for: purpose, in: flow)
    }
}
