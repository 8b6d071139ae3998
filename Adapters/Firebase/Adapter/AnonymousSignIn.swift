internal import Lockstep
internal import LockstepPrimitives

/// The anonymous sign-in: a sign-up without an identity.
struct AnonymousSignIn: SignInStrategy {
    let api: FirebaseAPI

    func begin(_ credential: AnonymousCredential, for purpose: CredentialPurpose, in flow: FlowMemory) async throws(AuthError)
        -> AuthStep
    {
        let tokens = try api.tokens(try await api.call("accounts:signUp", ["returnSecureToken": true]))
        let session = try await api.session(for: tokens)
        // The sign-up of an anonymous user accepts no name.
        return .complete(try await api.named(session, purpose.displayName))
    }
}
