internal import Lockstep
internal import LockstepHTTP
internal import LockstepPrimitives
internal import LockstepWire

/// Email address and password.
struct PasswordSignIn: SignInStrategy {
    let api: GoTrueAPI

    var acceptsMetadata: Bool { true }

    func supports(_ purpose: CredentialPurpose) -> Bool { true }

    func begin(_ credential: PasswordCredential, for purpose: CredentialPurpose, in flow: FlowMemory) async throws(AuthError)
        -> AuthStep
    {
        flow.prepare(for: purpose)
        switch purpose {
        case .signUp(let profile): return try await signUp(credential, profile, in: flow)
        case .signIn, .reauthenticate: return try await signIn(credential, in: flow)
        case .link(let session): return try await link(credential, to: session, in: flow)
        }
    }

    /// Creates an account.
    ///
    /// The response is the same for a known address and a new one, so the client cannot distinguish them.
    private func signUp(_ credential: PasswordCredential, _ profile: SignUpProfile, in flow: FlowMemory) async throws(AuthError)
        -> AuthStep
    {
        var body = credential.members
        body["data"] = profile.data
        let (response, challenge) = try await api.send(.signUp, to: credential.email, .post, "/signup", body: body, in: flow)
        if api.holdsSession(response) { return try await api.step(for: try api.session(from: response), in: flow) }
        _ = try User(goTrue: response.object)
        var confirmation = challenge
        confirmation.flow = flow.become(.confirmation)
        return .verify(confirmation)
    }

    private func signIn(_ credential: PasswordCredential, in flow: FlowMemory) async throws(AuthError) -> AuthStep {
        // The message may require a separate captcha. The call that contains that captcha does not check the password
        // again.
        if flow[unstored: Self.judged] == credential.password {
            return .verify(try await api.confirmAddress(credential.email, in: flow))
        }
        do {
            let response = try await api.call(
                .post, "/token", query: ["grant_type": "password"], body: credential.members, captcha: flow.takeCaptcha())
            return try await api.step(for: try api.session(from: response), in: flow)
        } catch  where error.provider?.code == "email_not_confirmed" && flow.flow.kind != .reauthentication {
            flow[unstored: Self.judged] = credential.password
            return .verify(try await api.confirmAddress(credential.email, in: flow))
        }
    }

    /// The note of the correct password of a user whose address is not verified.
    private static let judged = "judgedPassword"

    /// Adds an address and a password to an anonymous user; the address takes effect after its verification.
    private func link(_ credential: PasswordCredential, to session: Session, in flow: FlowMemory) async throws(AuthError)
        -> AuthStep
    {
        flow[.formerEmail] = session.user.email
        do {
            let (response, challenge) = try await api.send(
                .emailChange, to: credential.email, .put, "/user", body: credential.members, as: session.accessToken, in: flow)
            let user = try User(goTrue: response.object)
            guard user.email?.lowercased() != credential.email.lowercased() else {
                return .complete(api.outdated(session, user: user))
            }
            return .verify(challenge)
        } catch  where error.code == .emailAlreadyInUse {
            return .identityConflict(
                IdentityConflictStep(flow: flow.flow, currentUserID: session.user.id, signInMethods: [.password]))
        }
    }
}

extension SignUpProfile {
    /// The members of `user_metadata` for a new user; `nil` if there are none.
    var data: JSON? {
        var data = metadata
        if let displayName { data["display_name"] = .string(displayName) }
        return data.isEmpty ? nil : .object(data)
    }
}

extension PasswordCredential {
    fileprivate var members: JSONObject { ["email": .string(email), "password": .string(password.reveal())] }
}
