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
        if case .link(let session) = purpose { flow[.identityBefore] = session.user.linkAddress }
        return .verify(try await api.send(.signIn, to: credential.email, in: flow))
    }
}

/// A code by SMS.
///
/// Firebase always makes an account for an unknown number, but not in a reauthentication: the number must be the user's own.
struct PhoneCodeSignIn: SignInStrategy {
    let api: FirebaseAPI

    func takes(_ purpose: CredentialPurpose) -> Bool { true }

    func begin(_ credential: PhoneCodeCredential, for purpose: CredentialPurpose, in flow: FlowMemory) async throws(AuthError)
        -> SignInStep
    {
        if case .reauthenticate(let session) = purpose, session.user.phone != credential.phone {
            throw AuthError(.userMismatch, "The number is not the one of the user who is signed in. No message was sent.")
        }
        flow.prepare(for: purpose)
        flow[.newName] = purpose.displayName
        if case .link(let session) = purpose { flow[.identityBefore] = session.user.phone }
        return .verify(try await api.sendCode(to: credential.phone, in: flow))
    }
}
