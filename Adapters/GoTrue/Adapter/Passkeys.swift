internal import Lockstep
internal import LockstepHTTP
internal import LockstepPrimitives
internal import LockstepWire

/// The sign-in with a passkey: the server's challenge goes to the system's dialog, and the signed result is the
/// response.
struct PasskeySignIn: SignInStrategy {
    let api: GoTrueAPI

    /// A passkey can be added only to an account with an address or a number.
    func supports(_ purpose: CredentialPurpose) -> Bool {
        switch purpose {
        case .signIn, .reauthenticate: true
        case .link(let session): !session.user.isAnonymous
        case .signUp: false
        }
    }

    func begin(_ credential: PasskeyCredential, for purpose: CredentialPurpose, in flow: FlowMemory) async throws(AuthError)
        -> AuthStep
    {
        flow.prepare(for: purpose)
        guard case .link(let session) = purpose else {
            return try await ask("/passkeys/authentication", as: nil, in: flow)
        }
        flow[.ceremony] = "create"
        return try await ask("/passkeys/registration", as: session.accessToken, in: flow)
    }

    private func ask(_ path: BackendPath, as token: Secret?, in flow: FlowMemory) async throws(AuthError) -> AuthStep {
        let response = try await api.call(.post, path + "/options", body: [:], as: token, captcha: flow.takeCaptcha())
        guard let id = response.object["challenge_id"]?.filled, let options = response.object["options"], options.object != nil
        else {
            throw ErrorMapping.incomplete("the passkey's challenge")
        }
        flow[.passkeyChallenge] = id
        let life = response.object["expires_at"]?.int.map {
            TokenLife.left(until: Instant(seconds: $0), of: response.date ?? api.clock.now)
        }
        return .verify(
            Challenge(
                flow: flow.flow, channel: .passkey, destination: "", accepts: [.passkey],
                expiresAt: life.map { api.clock.now + $0 }, passkeyOptions: options))
    }
}

/// A passkey's signed result: to sign in, to add the passkey to the user, or as a second factor.
struct PasskeyVerification: VerificationStrategy {
    let api: GoTrueAPI

    var capability: Capability { .passkey }

    func accepts(_ response: ChallengeResponse.Kind, in kind: Flow.Kind) -> Bool { response == .passkey }

    func attempt(_ response: ChallengeResponse, in flow: FlowMemory) async throws(AuthError) -> AuthStep {
        guard case .passkey(let credential) = response, let challenge = flow[.passkeyChallenge] else {
            return try await SecondFactor(api: api).attempt(response, in: flow)
        }
        let body: JSONObject = ["challenge_id": .string(challenge), "credential": credential]
        guard flow[.ceremony] == "create" else {
            let response = try await api.call(.post, "/passkeys/authentication/verify", body: body)
            return try await api.step(for: try api.session(from: response), in: flow)
        }
        guard let session = flow.session else {
            throw AuthError(.notSignedIn, "No user is signed in, so the passkey cannot be added.", remedies: [.signIn])
        }
        _ = try await api.call(.post, "/passkeys/registration/verify", body: body, as: session.accessToken)
        return .complete(session)
    }
}

/// The user's passkeys, which the server lists separately.
struct OwnPasskeys: PasskeyManagement {
    let api: GoTrueAPI

    var acceptsNames: Bool { true }

    func all(of session: Session) async throws(AuthError) -> (user: String?, passkeys: [Passkey]) {
        let response = try await api.wire.send(.get, api.wire.url + "/passkeys", as: session.accessToken)
        guard let list = (try? response.json())?.array else { throw ErrorMapping.foreign(response, "a JSON list was expected") }
        return (nil, list.compactMap(Passkey.init(goTrue:)))
    }

    func rename(_ passkey: Passkey, to name: String, of session: Session) async throws(AuthError) -> Session {
        let path = try path(of: passkey)
        _ = try await api.call(.patch, path, body: ["friendly_name": .string(name)], as: session.accessToken)
        return session
    }

    func remove(_ passkey: Passkey, from session: Session) async throws(AuthError) -> Session {
        let path = try path(of: passkey).text()
        _ = try await api.wire.send(.delete, api.wire.url + path, as: session.accessToken)
        return session
    }

    private func path(of passkey: Passkey) throws(AuthError) -> BackendPath {
        guard passkey.id.isUUID else {
            throw AuthError(.invalidInput, "The user does not have this passkey. Use a passkey from `account.passkeys.all()`.")
        }
        return "/passkeys/\(given: passkey.id)"
    }
}

extension Passkey {
    fileprivate init?(goTrue object: JSON) {
        guard let id = object["id"]?.filled else { return nil }
        self.init(
            id: id, name: object["friendly_name"]?.filled,
            createdAt: (object["created_at"]?.filled).flatMap { Instant(rfc3339: $0) },
            lastUsedAt: (object["last_used_at"]?.filled).flatMap { Instant(rfc3339: $0) })
    }
}
