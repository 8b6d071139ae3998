internal import Lockstep
internal import LockstepPrimitives

extension World {
    /// Checks that a step contains a session of this user, and that the backend accepts its token.
    ///
    /// An invented session has another user, or a token that the backend does not know.
    @discardableResult
    func expectGenuine(
        _ step: AuthStep, of userID: String, _ client: any PortableClient, _ what: String, line: Int = #line
    ) async throws -> Session {
        let session = try require(step.session, "\(what) returned \(step.kind)", line: line)
        expect(session.user.id == userID, "\(what) signs in another user", line: line)
        expect(client.state.session?.user.id == userID, "after \(what) the state contains another user", line: line)
        expect(client.state.kind == "signedIn", "after \(what) the state is \(client.state.kind)", line: line)
        expect(
            try await administrator().accepts(accessToken: session.accessToken),
            "the backend does not accept the token of \(what)",
            line: line)
        return session
    }

    /// Checks that the error of a step which can no longer be completed advises to start again.
    func expectNewStart(_ error: AuthError, _ what: String, line: Int = #line) {
        expect(
            [.codeExpired, .linkExpired, .flowNotFound].contains(error.code) && error.remedies.contains(.startAgain),
            "\(what) failed with \(error), and the remedies are \(error.remedies)", line: line)
    }

    /// Signs a person in on a new device, and renews the session once, so that it is older than its access token.
    func renewedSession(
        of person: Person, line: Int = #line
    ) async throws -> (device: Device, client: any PortableClient, session: Session) {
        let device = device()
        let client = device.launch()
        try await outliveToken(of: try await enter(client, person, line: line))
        return (device, client, try await client.session())
    }

    /// Checks that no user is signed in.
    func expectSignedOut(_ client: any PortableClient, _ when: String, line: Int = #line) async {
        expect(client.state.session == nil, "\(when) the state is \(client.state.kind)", line: line)
        await refused(.notSignedIn, of: "a token \(when)", line: line) { () async throws(AuthError) in
            try await client.accessToken()
        }
    }

    /// Returns a phone number that no user has.
    func number() -> String { "+1555" + environment.randomness.text(7, of: "23456789") }

    /// Returns the page of the identity provider.
    func identityPage() throws -> any IdentityPage {
        try need(environment.identityPage, "the harness cannot open a provider's page")
    }

    /// Returns the URL that opens the app after a person has consented on the page of the identity provider.
    func consent(to page: String, as subject: IdentitySubject, line: Int = #line) async throws -> String {
        try require(
            try await identityPage().approve(page, as: subject), "after the consent the provider's page does not open the app",
            line: line)
    }

    /// Returns the URL that opens the app after a person has declined on the page of the identity provider.
    func refusal(at page: String, line: Int = #line) async throws -> String {
        try require(
            try await identityPage().refuse(page), "after the declined consent the provider's page does not open the app",
            line: line)
    }

    /// Returns a new person at the identity provider.
    ///
    /// The backend does not know this person.
    func subject(isEmailVerified: Bool = true) -> IdentitySubject {
        var subject = IdentitySubject(id: environment.randomness.text(12), email: stranger().email, name: "Grace Hopper")
        subject.isEmailVerified = isEmailVerified
        return subject
    }

    /// Begins a sign-in by redirect, and returns the URL of its page.
    func page(_ client: any PortableClient, line: Int = #line) async throws -> String {
        let step = try await client.signIn(with: .oauth(try identityPage().provider))
        guard case .redirect(let redirect) = step else { try end("the sign-in returned \(step.kind)", line: line) }
        return redirect.url
    }

    /// Completes the steps that need a message to this person, at most three.
    func proveWhatIsMailed(
        _ client: any PortableClient, _ first: AuthStep, of person: Person, line: Int = #line
    ) async throws -> AuthStep {
        var step = first
        for _ in 0..<3 {
            guard case .verify(let challenge) = step else { break }
            step = try await give(client, challenge, to: person.email, line: line)
        }
        return step
    }

    /// Returns a member with a second factor, and the step after the correct password.
    func memberAtSecondFactor(
        _ client: any PortableClient, line: Int = #line
    ) async throws -> (person: Person, userID: String, factor: EnrolledFactor, step: SecondFactorStep) {
        let person = try await member()
        let userID = try await userID(of: person, line: line)
        let factor = try await administrator().addFactor(to: userID)
        return (person, userID, factor, try await secondFactor(client, of: person, line: line))
    }

    /// Returns a signed-in member, and the authenticator apps.
    func memberWithApps(
        line: Int = #line
    ) async throws -> (person: Person, userID: String, client: any PortableClient, apps: any AuthenticatorApps) {
        let apps = try need(environment.authenticators, "the harness has no authenticator apps")
        let (person, client) = (try await member(), client())
        let userID = try await userID(of: person, line: line)
        try await enter(client, person, line: line)
        return (person, userID, client, apps)
    }

    /// Adds an authenticator app to the user of a client, with the app's first code.
    @discardableResult
    func addApp(_ client: any PortableClient, _ apps: any AuthenticatorApps, line: Int = #line) async throws -> Secret {
        let enrolment = try await client.addFactor(NewFactor(.authenticatorApp))
        let key = try require(enrolment.key, "the enrollment has no key for the app", line: line)
        let end = try await client.respond(to: enrolment.challenge.flow, with: .code(try await apps.code(for: key)))
        expect(end.session != nil, "the first code of the app returned \(end.kind)", line: line)
        return key
    }

    /// Signs in with the password of a member, and returns the step for the second factor.
    func secondFactor(_ client: any PortableClient, of person: Person, line: Int = #line) async throws -> SecondFactorStep {
        let step = try await proveWhatIsMailed(client, client.signIn(with: person.credential), of: person, line: line)
        guard case .secondFactor(let second) = step else {
            try end("the password of a user with a second factor returned \(step.kind)", line: line)
        }
        return second
    }

    /// Chooses a second factor, and returns the flow that accepts its code.
    func choose(
        _ client: any PortableClient, _ kind: FactorChoice.Kind, of step: SecondFactorStep, line: Int = #line
    ) async throws -> Flow {
        let choice = try require(step.choices.first { $0.kind == kind }, "the step offers no \(kind.rawValue)", line: line)
        let next = try await client.respond(to: step.flow, with: .factor(choice))
        let challenge = try require(next.challenge, "the choice returned \(next.kind)", line: line)
        expect(challenge.accepts.contains(.code), "the chosen factor does not accept a code", line: line)
        return challenge.flow
    }

    /// Returns the current code of a second factor.
    func code(of factor: EnrolledFactor, line: Int = #line) async throws -> Secret {
        if let code = factor.code { return try await code() }
        return try await code(for: try require(factor.phone, "the factor has neither code nor number", line: line), line: line)
    }
}
