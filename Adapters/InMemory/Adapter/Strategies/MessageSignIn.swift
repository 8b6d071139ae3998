internal import Lockstep
internal import LockstepPrimitives

struct EmailLinkSignIn: SignInStrategy {
    let link: InMemoryLink

    func begin(_ credential: EmailLinkCredential, for purpose: Purpose, in flow: FlowMemory) async throws(AuthError) -> SignInStep
    {
        try purpose.isSignIn()
        let proof = try await link.backend.sendSignInMessage(to: credential.email, creates: credential.createsAccount)
        return link.verify(proof, flow, accepts: [.link])
    }
}

struct EmailCodeSignIn: SignInStrategy {
    let link: InMemoryLink

    /// Renewing a sign-in is another one, of the same user: the client takes no other, and ends the session before.
    func begin(_ credential: EmailCodeCredential, for purpose: Purpose, in flow: FlowMemory) async throws(AuthError) -> SignInStep
    {
        if case .reauthenticate = purpose {
            let proof = try await link.backend.sendSignInMessage(to: credential.email, creates: false)
            return link.verify(proof, flow, accepts: [.code])
        }
        try purpose.isSignIn()
        let proof = try await link.backend.sendSignInMessage(to: credential.email, creates: credential.createsAccount)
        return link.verify(proof, flow, accepts: [.code])
    }
}

extension Purpose {
    /// Refuses what a message cannot be used for here.
    fileprivate func isSignIn() throws(AuthError) {
        switch self {
        case .signIn, .signUp: return
        case .link, .reauthenticate:
            throw AuthError(
                .unsupported, "memory signs in by a message, and does not link by one, or renew by a link. Use a password.")
        }
    }
}
