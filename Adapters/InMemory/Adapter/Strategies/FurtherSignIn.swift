internal import Lockstep
internal import LockstepPrimitives

struct PhoneCodeSignIn: SignInStrategy {
    let link: InMemoryLink

    func begin(_ credential: PhoneCodeCredential, for purpose: CredentialPurpose, in flow: FlowMemory) async throws(AuthError)
        -> SignInStep
    {
        try purpose.isSignIn()
        return link.verify(try await link.backend.sendSignInMessage(toPhone: credential.phone), flow, accepts: [.code])
    }
}

struct TicketSignIn: SignInStrategy {
    let link: InMemoryLink

    func begin(_ credential: TicketCredential, for purpose: CredentialPurpose, in flow: FlowMemory) async throws(AuthError)
        -> SignInStep
    {
        try purpose.isSignIn()
        return link.step(try await link.backend.signIn(ticket: credential.token), flow)
    }
}

struct PasskeySignIn: SignInStrategy {
    let link: InMemoryLink

    func begin(_ credential: PasskeyCredential, for purpose: CredentialPurpose, in flow: FlowMemory) async throws(AuthError)
        -> SignInStep
    {
        var access: Secret?
        if case .link(let session) = purpose {
            guard !session.user.isAnonymous else {
                throw AuthError(.unsupported, "memory adds passkeys to users only. Give the guest a password first.")
            }
            access = session.accessToken
        } else {
            try purpose.isSignIn()
        }
        let options = try await link.backend.beginPasskey(addingTo: access)
        return .verify(
            Challenge(
                flow: flow.flow, channel: .passkey, destination: "", accepts: [.passkey],
                expiresAt: link.clock.now + link.settings.proofLife, passkeyOptions: options))
    }
}
