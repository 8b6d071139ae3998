public import Lockstep
internal import LockstepPrimitives

/// Calls that begin, continue and end a flow.
extension ClientCalls {
    static let flows: [any ClientCall.Type] = [
        SignUp.self, SignIn.self, Respond.self, Resend.self, CancelFlow.self, HandleURL.self, RequestPasswordReset.self,
    ]
}

struct SignUp: ClientCall {
    static let name = "signUp"
    let credential: any Credential
    let displayName: String?
    let metadata: JSONObject

    var capability: Capability? { credential.neededCapability }
    var effect: CallEffect { .enters(credential.address) }
    var secrets: [CallSecret] { credential.secrets }

    static func sample(on client: any PortableClient, in world: World) async throws -> Self? {
        Self(credential: world.stranger().credential, displayName: nil, metadata: [:])
    }

    func perform(on client: AuthClient) async throws(AuthError) -> AuthStep {
        try await client.signUp(with: credential, displayName: displayName, metadata: metadata)
    }

    func replaced(by faulty: FaultyClient) async throws(AuthError) -> AuthStep? {
        guard metadata.isEmpty else {
            return try await faulty.onMetadataAtSignUp?(faulty.base, credential, displayName, metadata)
        }
        return try await faulty.onSignUp?(faulty.base, credential, displayName)
    }
}

struct SignIn: ClientCall {
    static let name = "signIn"
    let credential: any Credential

    var capability: Capability? { credential.neededCapability }
    var effect: CallEffect { .enters(credential.address) }
    var secrets: [CallSecret] { credential.secrets }

    static func sample(on client: any PortableClient, in world: World) async throws -> Self? {
        Self(credential: world.stranger().credential)
    }

    func perform(on client: AuthClient) async throws(AuthError) -> AuthStep { try await client.signIn(with: credential) }

    func replaced(by faulty: FaultyClient) async throws(AuthError) -> AuthStep? {
        try await faulty.onSignIn?(faulty.base, credential)
    }
}

struct Respond: ClientCall {
    static let name = "respond"
    static let refusalsIfDone: Set<AuthError.Code> = [
        .invalidCode, .codeExpired, .codeUsed, .linkUsed, .linkExpired, .linkInvalid, .invalidInput, .flowNotFound,
        .sessionRevoked,
    ]
    let flow: Flow
    let response: ChallengeResponse

    var capability: Capability? {
        switch response {
        case .code: .confirmationCode
        case .link: .confirmationLink
        case .poll: .poll
        case .newPassword: .newPasswordStep
        case .captcha: .captcha
        case .factor(let factor): factor.kind == .backupCode ? .backupCode : .secondFactor
        case .fields: .requirements
        case .passkey: .passkey
        }
    }
    var effect: CallEffect { .enters(nil) }
    var secrets: [CallSecret] {
        switch response {
        case .code(let code): [.value(code, "a code")]
        case .newPassword(let password): [.value(password, "a new password")]
        case .link(let url): [.link(url)]
        case .captcha(let token): [.value(token, "a captcha's token")]
        case .poll, .factor, .fields, .passkey: []
        }
    }

    static func sample(on client: any PortableClient, in world: World) async throws -> Self? {
        guard let challenge = try await world.signUpChallenge(client, world.stranger()) else { return nil }
        if challenge.accepts.contains(.code) { return Self(flow: challenge.flow, response: .code("654321")) }
        return challenge.accepts.contains(.poll) ? Self(flow: challenge.flow, response: .poll) : nil
    }

    func perform(on client: AuthClient) async throws(AuthError) -> AuthStep {
        try await client.respond(to: flow, with: response)
    }

    func replaced(by faulty: FaultyClient) async throws(AuthError) -> AuthStep? {
        try await faulty.onRespond?(faulty.base, flow, response)
    }
}

struct Resend: ClientCall {
    static let name = "resend"
    let flow: Flow

    static func sample(on client: any PortableClient, in world: World) async throws -> Self? {
        guard let challenge = try await world.signUpChallenge(client, world.stranger()) else { return nil }
        if let time = challenge.resendAvailableAt {
            try await world.advance(by: max(.zero, time - world.clock.now) + .seconds(1))
        }
        return Self(flow: challenge.flow)
    }

    func perform(on client: AuthClient) async throws(AuthError) -> Challenge { try await client.resend(flow) }

    func replaced(by faulty: FaultyClient) async throws(AuthError) -> Challenge? {
        try await faulty.onResend?(faulty.base, flow)
    }
}

struct CancelFlow: ClientCall {
    static let name = "cancel"
    let flow: Flow

    func perform(on client: AuthClient) async throws(AuthError) { try await client.cancel(flow) }

    func replaced(by faulty: FaultyClient) async throws(AuthError) -> Void? { try await faulty.onCancel?(faulty.base, flow) }
}

struct HandleURL: ClientCall {
    static let name = "handle"
    let url: String

    var effect: CallEffect { .enters(nil) }
    var secrets: [CallSecret] { [.link(url)] }

    static func sample(on client: any PortableClient, in world: World) async throws -> Self? {
        let person = world.stranger()
        guard let challenge = try await world.signUpChallenge(client, person), challenge.accepts.contains(.link),
            world.environment.outbox != nil, let browser = world.environment.browser,
            let link = try await world.newestMessage(to: person.email).link, let url = try await browser.follow(link)
        else { return nil }
        return Self(url: url)
    }

    func perform(on client: AuthClient) async -> CallbackOutcome { await client.handle(url) }

    func replaced(by faulty: FaultyClient) async -> CallbackOutcome? { await faulty.onHandle?(faulty.base, url) }
}

struct RequestPasswordReset: ClientCall {
    static let name = "requestPasswordReset"
    let email: String

    var capability: Capability? { .passwordReset }

    static func sample(on client: any PortableClient, in world: World) async throws -> Self? {
        world.can(.passwordReset) ? Self(email: world.stranger().email) : nil
    }

    func perform(on client: AuthClient) async throws(AuthError) -> AuthStep {
        try await client.requestPasswordReset(email: email)
    }

    func replaced(by faulty: FaultyClient) async throws(AuthError) -> AuthStep? {
        try await faulty.onReset?(faulty.base, email)
    }
}

extension PortableClient {
    /// Creates an account.
    ///
    /// - Parameters:
    ///   - credential: The credential of the new user.
    ///   - displayName: The display name; `nil` for none.
    ///   - metadata: The metadata that the user can change.
    /// - Returns: The session, or the next step.
    /// - Throws: The error that the client throws.
    public func signUp<C: Credential>(
        with credential: C, displayName: String? = nil, metadata: JSONObject = [:]
    ) async throws(AuthError) -> AuthStep {
        try await perform(SignUp(credential: credential, displayName: displayName, metadata: metadata))
    }

    /// Signs a user in.
    ///
    /// - Returns: The session, or the next step.
    /// - Throws: The error that the client throws.
    public func signIn<C: Credential>(with credential: C) async throws(AuthError) -> AuthStep {
        try await perform(SignIn(credential: credential))
    }

    /// Continues a flow with the user's response to a challenge.
    ///
    /// - Returns: The session, or the next step.
    /// - Throws: The error that the client throws.
    public func respond(to flow: Flow, with response: ChallengeResponse) async throws(AuthError) -> AuthStep {
        try await perform(Respond(flow: flow, response: response))
    }

    /// Sends the message of a flow again.
    ///
    /// - Throws: The error that the client throws.
    public func resend(_ flow: Flow) async throws(AuthError) -> Challenge { try await perform(Resend(flow: flow)) }

    /// Cancels a flow.
    ///
    /// - Throws: The error that the client throws.
    public func cancel(_ flow: Flow) async throws(AuthError) { try await perform(CancelFlow(flow: flow)) }

    /// Handles a URL that opened the app.
    ///
    /// - Returns: The next step, an error, or `notOurs` if the URL is not for this client.
    public func handle(_ url: String) async -> CallbackOutcome {
        do throws(AuthError) { return try await perform(HandleURL(url: url)) } catch { return .refused(error) }
    }

    /// Begins to replace a forgotten password.
    ///
    /// - Parameter email: The email address of the account.
    /// - Returns: The next step.
    /// - Throws: The error that the client throws.
    public func requestPasswordReset(email: String) async throws(AuthError) -> AuthStep {
        try await perform(RequestPasswordReset(email: email))
    }
}

extension World {
    /// Begins a sign-up, and returns its challenge; `nil` if the backend does not verify addresses.
    fileprivate func signUpChallenge(_ client: any PortableClient, _ person: Person) async throws -> Challenge? {
        guard behavior.signUpProof == .required else { return nil }
        return try await client.signUp(with: person.credential).challenge
    }
}
