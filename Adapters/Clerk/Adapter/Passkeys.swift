internal import Lockstep
internal import LockstepHTTP
internal import LockstepPrimitives
internal import LockstepWire

/// The sign-in with a passkey.
///
/// The options for the system's dialog are a text in the nonce of a verification. The signed result is the response.
struct PasskeySignIn: SignInStrategy {
    let api: ClerkAPI

    /// Clerk renews a sign-in with a password or a code, and no user has only a passkey.
    func supports(_ purpose: CredentialPurpose) -> Bool {
        switch purpose {
        case .signIn, .link: true
        case .signUp, .reauthenticate: false
        }
    }

    func begin(_ credential: PasskeyCredential, for purpose: CredentialPurpose, in flow: FlowMemory) async throws(AuthError)
        -> AuthStep
    {
        if case .link(let session) = purpose {
            let response = try await api.about(session, .post, "/me/passkeys")
            flow[.passkey] = try response.resource()["id"]?.string
            return try verify(try response.resource()["verification"], response.date, in: flow)
        }
        flow.prepareClient()
        var response = try await api.begin([("strategy", "passkey")], in: flow)
        // An earlier sign-in whose answer was lost has left a user on the client. Only the end of this one would show whether it is the same
        // user, which Clerk then rejects (`identifier_already_signed_in`).
        if response.hasUser {
            flow.client = Secret("")
            response = try await api.begin([("strategy", "passkey")], in: flow)
        }
        flow[.signIn] = try response.resource()["id"]?.string
        return try verify(try response.resource()["first_factor_verification"], response.date, in: flow)
    }

    private func verify(_ verification: JSON?, _ date: Instant?, in flow: FlowMemory) throws(AuthError) -> AuthStep {
        guard let text = verification?["nonce"]?.filled, let options = try? JSON.parse(text), options.object != nil else {
            throw ErrorMapping.incomplete("the passkey's options")
        }
        let end = (verification?["expire_at"]?.int).map { Instant(milliseconds: $0) }
        return .verify(
            Challenge(
                flow: flow.flow, channel: .passkey, destination: "", accepts: [.passkey],
                expiresAt: end.map { api.clock.now + TokenLife.left(until: $0, of: date ?? api.clock.now) },
                passkeyOptions: options))
    }
}

/// A passkey's signed result: to sign in, or to add the passkey to the user.
struct PasskeyVerification: VerificationStrategy {
    let api: ClerkAPI

    var capability: Capability { .passkey }

    func accepts(_ response: ChallengeResponse.Kind, in kind: Flow.Kind) -> Bool { response == .passkey }

    func attempt(_ response: ChallengeResponse, in flow: FlowMemory) async throws(AuthError) -> AuthStep {
        guard case .passkey(let credential) = response else {
            throw AuthError(.responseNotAccepted, "This step accepts only the result of a passkey.")
        }
        let form = [(name: "strategy", value: "passkey"), (name: "public_key_credential", value: credential.text())]
        guard let id = flow[.passkey] else {
            let path: BackendPath = "/client/sign_ins/\(flow[.signIn] ?? "")/attempt_first_factor"
            return try await api.step(ofSignIn: try await api.call(.post, path, form, in: flow), in: flow)
        }
        guard let session = flow.session else {
            throw AuthError(.notSignedIn, "No user is signed in, so the passkey cannot be added.", remedies: [.signIn])
        }
        do throws(AuthError) {
            _ = try await api.about(session, .post, "/me/passkeys/\(id)/attempt_verification", form)
        } catch  where error.provider?.code == "verification_already_verified" {
            // The passkey was added before, and the response was lost.
        }
        return .complete(try await ClerkSessions(api: api).reload(session))
    }
}

/// The user's passkeys, which the user object lists.
struct OwnPasskeys: PasskeyManagement {
    let api: ClerkAPI

    var acceptsNames: Bool { true }

    func all(of session: Session) async throws(AuthError) -> (user: String?, passkeys: [Passkey]) {
        let user = try User(clerk: try await api.about(session, .get, "/me").resource())
        return (user.id, (user.fields["passkeys"]?.array ?? []).compactMap(Passkey.init(clerk:)))
    }

    func rename(_ passkey: Passkey, to name: String, of session: Session) async throws(AuthError) -> Session {
        _ = try await api.about(session, .patch, "/me/passkeys/\(given: passkey.id)", [("name", name)])
        return try await ClerkSessions(api: api).reload(session)
    }

    func remove(_ passkey: Passkey, from session: Session) async throws(AuthError) -> Session {
        _ = try await api.about(session, .delete, "/me/passkeys/\(given: passkey.id)")
        return try await ClerkSessions(api: api).reload(session)
    }
}

extension Passkey {
    fileprivate init?(clerk object: JSON) {
        guard let id = object["id"]?.filled else { return nil }
        self.init(
            id: id, name: object["name"]?.filled, createdAt: (object["created_at"]?.int).map { Instant(milliseconds: $0) },
            lastUsedAt: (object["last_used_at"]?.int).map { Instant(milliseconds: $0) })
    }
}
