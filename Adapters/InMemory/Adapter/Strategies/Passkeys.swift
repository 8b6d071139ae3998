internal import Lockstep
internal import LockstepPrimitives

/// A passkey, for a sign-in or to be added.
struct PasskeySignIn: SignInStrategy {
    let link: InMemoryLink

    /// Returns whether a passkey supports a purpose: only a permanent user can add one, so first add a password to an
    /// anonymous user.
    func supports(_ purpose: CredentialPurpose) -> Bool {
        switch purpose {
        case .signIn: true
        case .link(let session): !session.user.isAnonymous
        case .signUp, .reauthenticate: false
        }
    }

    func begin(_ credential: PasskeyCredential, for purpose: CredentialPurpose, in flow: FlowMemory) async throws(AuthError)
        -> AuthStep
    {
        var access: Secret?
        if case .link(let session) = purpose { access = session.accessToken }
        let options = try await link.backend.beginPasskey(addingTo: access)
        return .verify(
            Challenge(
                flow: flow.flow, channel: .passkey, destination: "", accepts: [.passkey],
                expiresAt: link.clock.now + link.settings.proofLife, passkeyOptions: options))
    }
}

/// The signature of a passkey.
struct PasskeyProof: VerificationStrategy {
    let link: InMemoryLink
    let capability = Capability.passkey

    func accepts(_ response: ChallengeResponse.Kind, in kind: Flow.Kind) -> Bool { response == .passkey }

    func attempt(_ response: ChallengeResponse, in flow: FlowMemory) async throws(AuthError) -> AuthStep {
        guard case .passkey(let signed) = response else {
            throw AuthError(.responseNotAccepted, "This step accepts only the result of a passkey.")
        }
        return link.step(try await link.backend.end(passkey: signed), flow)
    }
}

/// The user's own passkeys.
struct InMemoryPasskeys: PasskeyManagement {
    let link: InMemoryLink

    var acceptsNames: Bool { link.settings.capabilities.contains(.passkeyRenaming) }

    func all(of session: Session) async throws(AuthError) -> (user: String?, passkeys: [Passkey]) {
        let (user, passkeys) = try await link.backend.passkeys(session.accessToken)
        return (user, passkeys)
    }

    func rename(_ passkey: Passkey, to name: String, of session: Session) async throws(AuthError) -> Session {
        link.session(try await link.backend.change(passkey: passkey.id, to: name, of: session.accessToken))
    }

    func remove(_ passkey: Passkey, from session: Session) async throws(AuthError) -> Session {
        link.session(try await link.backend.change(passkey: passkey.id, to: nil, of: session.accessToken))
    }
}
