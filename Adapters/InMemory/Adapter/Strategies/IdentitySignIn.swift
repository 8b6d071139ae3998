internal import Lockstep

struct IDTokenSignIn: SignInStrategy {
    let link: InMemoryLink

    func supports(_ purpose: CredentialPurpose) -> Bool { true }

    func begin(_ credential: IDTokenCredential, for purpose: CredentialPurpose, in flow: FlowMemory) async throws(AuthError)
        -> AuthStep
    {
        var credential = credential
        credential.name = credential.name ?? purpose.displayName
        return link.step(
            try await link.backend.signIn(
                credential, target: InMemoryIdentityTarget(purpose), captcha: flow.takeCaptcha()), flow)
    }
}

extension InMemoryIdentityTarget {
    /// Converts a credential's purpose to the backend's value.
    init(_ purpose: CredentialPurpose) {
        switch purpose {
        case .signUp, .signIn: self = .anyUser
        case .link(let session): self = .link(to: session.accessToken)
        case .reauthenticate(let session): self = .sameUser(as: session.accessToken)
        }
    }
}

struct OAuthSignIn: SignInStrategy {
    let link: InMemoryLink

    func supports(_ purpose: CredentialPurpose) -> Bool { true }

    func begin(_ credential: OAuthCredential, for purpose: CredentialPurpose, in flow: FlowMemory) async throws(AuthError)
        -> AuthStep
    {
        let trip = try await link.backend.beginRoundTrip(
            credential, kind: flow.flow.kind, target: InMemoryIdentityTarget(purpose))
        flow[FlowMemory.stateNote] = trip.state
        return .redirect(RedirectStep(flow: flow.flow, url: trip.page))
    }
}

struct TicketSignIn: SignInStrategy {
    let link: InMemoryLink

    func begin(_ credential: TicketCredential, for purpose: CredentialPurpose, in flow: FlowMemory) async throws(AuthError)
        -> AuthStep
    {
        link.step(try await link.backend.signIn(ticket: credential.token), flow)
    }
}
