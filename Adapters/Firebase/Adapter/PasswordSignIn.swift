internal import Lockstep
internal import LockstepPrimitives

/// Email address and password.
struct PasswordSignIn: SignInStrategy {
    let api: FirebaseAPI

    func supports(_ purpose: CredentialPurpose) -> Bool { true }

    func begin(_ credential: PasswordCredential, for purpose: CredentialPurpose, in flow: FlowMemory) async throws(AuthError)
        -> AuthStep
    {
        flow.prepare(for: purpose)
        switch purpose {
        case .signUp(let profile):
            return try await makeAccount(credential, named: profile.displayName, in: flow)
        case .signIn, .reauthenticate:
            let body = credential.members.adding(api.captcha(in: flow))
            return try await api.step(for: try await api.call("accounts:signInWithPassword", body), in: flow)
        case .link(let session):
            return try await link(credential, to: session, in: flow)
        }
    }

    /// Creates an account and requests the verification of its address; completed steps are not repeated.
    private func makeAccount(_ credential: PasswordCredential, named name: String?, in flow: FlowMemory) async throws(AuthError)
        -> AuthStep
    {
        var body = credential.members
        if let name { body["displayName"] = .string(name) }
        return try await confirm(try await account(body, in: flow), in: flow)
    }

    /// Adds an address and a password to an anonymous user.
    private func link(_ credential: PasswordCredential, to session: Session, in flow: FlowMemory) async throws(AuthError)
        -> AuthStep
    {
        var body = credential.members
        body["idToken"] = .string(session.accessToken.reveal())
        // Firebase's emulator deletes a name that the request does not repeat.
        if let name = session.user.displayName { body["displayName"] = .string(name) }
        do {
            return try await confirm(try await account(body, in: flow), in: flow)
        } catch {
            guard error.code == .emailAlreadyInUse else { throw error }
            return .identityConflict(
                IdentityConflictStep(flow: flow.flow, currentUserID: session.user.id, signInMethods: [.password]))
        }
    }

    private func account(_ body: JSONObject, in flow: FlowMemory) async throws(AuthError) -> Session {
        if flow.hasCompleted(.account), let session = flow[.unfinishedSession] {
            return session.lifetime.needsRefresh(on: api.clock) ? try await api.renewed(session) : session
        }
        let tokens = try api.tokens(try await api.call("accounts:signUp", body.adding(api.captcha(in: flow))))
        // Only the request's values of a new user are known; the rest is loaded with the next token.
        var session = tokens.session(of: tokens.newUser(email: body["email"]?.string, named: body["displayName"]?.string))
        flow[.unfinishedSession] = session
        flow.complete(.account)
        session.user = try await api.user(as: session.accessToken, claims: session.claims)
        return session
    }

    private func confirm(_ session: Session, in flow: FlowMemory) async throws(AuthError) -> AuthStep {
        guard session.user.standing == .unverified, let email = session.user.email else { return .complete(session) }
        flow.become(.confirmation)
        let challenge = try await api.send(.confirmation, to: email, as: session.accessToken, in: flow)
        flow.complete(.message)
        flow[.unfinishedSession] = nil
        flow.grant(limited: session)
        return .verify(challenge)
    }
}

extension PasswordCredential {
    var members: JSONObject {
        ["email": .string(email), "password": .string(password.reveal()), "returnSecureToken": true]
    }
}

extension Tokens {
    /// Returns the user of an account that was just created.
    fileprivate func newUser(email: String?, named name: String?) -> User {
        User(
            id: userID ?? "", email: email?.lowercased(), displayName: name,
            identities: [Identity(id: "password", provider: .email, email: email?.lowercased())])
    }
}
