internal import Lockstep
internal import LockstepPrimitives

struct EmailLinkSignIn: SignInStrategy {
    let link: InMemoryLink

    var acceptsMetadata: Bool { true }

    func begin(_ credential: EmailLinkCredential, for purpose: CredentialPurpose, in flow: FlowMemory) async throws(AuthError)
        -> AuthStep
    {
        let isRenewal = if case .reauthenticate = purpose { true } else { false }
        let proof = try await link.asking(in: flow) { () async throws(AuthError) in
            try await link.backend.sendSignInMessage(
                to: credential.email, creates: credential.createsAccount && !isRenewal, newcomer: purpose.profile,
                captcha: flow.takeCaptcha())
        }
        return link.verify(proof, flow, accepts: [.link])
    }
}

struct EmailCodeSignIn: SignInStrategy {
    let link: InMemoryLink

    var acceptsMetadata: Bool { true }

    func supports(_ purpose: CredentialPurpose) -> Bool { if case .link = purpose { false } else { true } }

    /// Reauthentication is another sign-in of the same user: the client rejects other users, and ends the previous
    /// session.
    func begin(_ credential: EmailCodeCredential, for purpose: CredentialPurpose, in flow: FlowMemory) async throws(AuthError)
        -> AuthStep
    {
        if case .reauthenticate = purpose {
            let proof = try await link.backend.sendSignInMessage(
                to: credential.email, creates: false, captcha: flow.takeCaptcha())
            return link.verify(proof, flow, accepts: [.code])
        }
        let proof = try await link.backend.sendSignInMessage(
            to: credential.email, creates: credential.createsAccount, newcomer: purpose.profile, captcha: flow.takeCaptcha())
        return link.verify(proof, flow, accepts: [.code])
    }
}

struct PhoneCodeSignIn: SignInStrategy {
    let link: InMemoryLink

    var acceptsMetadata: Bool { true }

    /// A user has one number.
    func supports(_ purpose: CredentialPurpose) -> Bool {
        switch purpose {
        case .signUp, .signIn: true
        case .link(let session): link.settings.capabilities.contains(.linking) && session.user.phone == nil
        case .reauthenticate: false
        }
    }

    func begin(_ credential: PhoneCodeCredential, for purpose: CredentialPurpose, in flow: FlowMemory) async throws(AuthError)
        -> AuthStep
    {
        if case .link(let session) = purpose {
            let proof = try await link.backend.sendLinkingMessage(toPhone: credential.phone, for: session.accessToken)
            return link.verify(proof, flow, accepts: [.code])
        }
        if case .signIn = purpose, let proof = flow[.numberProof],
            let outcome = try await link.backend.enter(byProof: proof, of: credential.phone)
        {
            return link.step(outcome, flow)
        }
        let proof = try await link.backend.sendSignInMessage(toPhone: credential.phone, profile: purpose.profile)
        return link.verify(proof, flow, accepts: [.code])
    }
}

extension FlowNote<Secret> {
    /// The verification of a number that belongs to another account.
    static var numberProof: Self { "numberProof" }
}
