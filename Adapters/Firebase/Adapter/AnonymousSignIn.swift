internal import Lockstep
internal import LockstepPrimitives

/// A guest's account: a sign-up without an identity.
struct AnonymousSignIn: SignInStrategy {
    let api: FirebaseAPI

    func begin(_ credential: AnonymousCredential, for purpose: CredentialPurpose, in flow: FlowMemory) async throws(AuthError)
        -> SignInStep
    {
        var name: String?
        switch purpose {
        case .signIn: break
        case .signUp(let profile): name = profile.displayName
        case .link, .reauthenticate:
            throw AuthError(.unsupported, "A guest has no credential, so a guest cannot be linked and cannot renew a sign-in.")
        }
        let tokens = try api.tokens(try await api.call("accounts:signUp", ["returnSecureToken": true]))
        let session = try await api.session(for: tokens)
        // A guest's sign-up takes no name.
        return .complete(try await api.named(session, name))
    }
}
