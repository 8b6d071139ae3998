internal import Lockstep
internal import LockstepHTTP
internal import LockstepPrimitives
internal import LockstepWire

/// The sign-in with a passkey: Firebase's challenge goes to the system's dialog, and the signed result is the response.
///
/// The calls are the same as in the SDK for iOS (firebase-ios-sdk, `FinalizePasskeySignInRequest` and others) and in
/// Firebase's emulator. Google's description of the service does not list them.
struct PasskeySignIn: SignInStrategy {
    let api: FirebaseAPI

    /// Returns whether a passkey supports a purpose.
    ///
    /// It can be added only to an account with another way to sign in. An anonymous user with a passkey wants to sign in
    /// to the account of that passkey.
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
            let response = try await start("passkeySignIn", [:])
            return try ask(response, response.object["credentialRequestOptions"], in: flow)
        }
        let response = try await start("passkeyEnrollment", ["idToken": .string(session.accessToken.reveal())])
        var options = response.object["credentialCreationOptions"]?.object
        if var user = options?["user"]?.object, user["name"]?.filled == nil {
            // The dialog shows a name. The SDK for iOS uses the app's name for it, not the one in the response.
            user["name"] = .string(session.user.nameOfPasskeys ?? session.user.id)
            user["displayName"] = user["displayName"] ?? user["name"]
            options?["user"] = .object(user)
        }
        return try ask(response, options.map(JSON.object), in: flow)
    }

    /// Requests a challenge.
    ///
    /// - Throws: `notEnabled`, also if the server does not know the call, as Google's error shows.
    private func start(_ ceremony: String, _ body: JSONObject) async throws(AuthError) -> JSONResponse {
        do {
            return try await api.call("accounts/\(ceremony):start", version: "v2", body)
        } catch {
            guard error.code == .invalidConfiguration, error.provider?.status == 404 else { throw error }
            throw AuthError(
                .notEnabled, "The project, or this version of the emulator, does not support passkeys.", provider: error.provider)
        }
    }

    private func ask(_ response: JSONResponse, _ options: JSON?, in flow: FlowMemory) throws(AuthError) -> AuthStep {
        guard var options = options?.object, let challenge = Bytes(options["challenge"]) else {
            throw ErrorMapping.incomplete("the passkey's challenge")
        }
        flow[.passkeyChallenge] = challenge.text
        // The dialog reads the JSON of WebAuthn, whose bytes are in base 64 for URLs. Firebase uses the other alphabet.
        options["challenge"] = .string(challenge.text)
        if var user = options["user"]?.object, let id = Bytes(user["id"]) {
            user["id"] = .string(id.text)
            options["user"] = .object(user)
        }
        let life = options["timeout"]?.int.flatMap { $0 > 0 ? min(.milliseconds($0), TokenLife.longestProof) : nil }
        return .verify(
            Challenge(
                flow: flow.flow, channel: .passkey, destination: "", accepts: [.passkey],
                expiresAt: life.map { api.clock.now + $0 }, passkeyOptions: .object(options)))
    }
}

/// A passkey's signed result: to sign in, or to add the passkey to the user.
struct PasskeyVerification: VerificationStrategy {
    let api: FirebaseAPI

    var capability: Capability { .passkey }

    func accepts(_ response: ChallengeResponse.Kind, in kind: Flow.Kind) -> Bool { response == .passkey }

    /// Sends the result to Firebase.
    ///
    /// - Throws: `codeUsed` if a sign-in with it has succeeded and the response was lost.
    func attempt(_ response: ChallengeResponse, in flow: FlowMemory) async throws(AuthError) -> AuthStep {
        guard case .passkey(let credential) = response, let challenge = flow[.passkeyChallenge] else {
            throw AuthError(.responseNotAccepted, "This flow does not accept a passkey.", remedies: [.startAgain])
        }
        if let step = try await api.resumed(in: flow) { return step }
        let isAdding = flow.flow.kind == .linking
        let result = try PasskeyResult(credential, of: isAdding ? PasskeyResult.made : PasskeyResult.signed)
        guard result.challenge == challenge else {
            throw AuthError(
                .invalidCredentials, "The passkey signed the challenge of another flow. Start again.", remedies: [.startAgain]
            )
        }
        do {
            let response = try await flow.sending(result.proof) { () async throws(AuthError) in
                try await isAdding ? add(result, in: flow) : signIn(result)
            }
            return try await api.step(forSpent: response, in: flow)
        } catch {
            guard ["INVALID_AUTHENTICATOR_RESPONSE", "CREDENTIAL_ALREADY_IN_USE"].contains(error.provider?.code),
                flow.mayHaveCounted(result.proof)
            else { throw error }
            if isAdding {
                guard let step = try await api.added(in: flow, { $0.passkeys.contains { Bytes($0.id) == result.id } }) else {
                    throw error
                }
                return step
            }
            throw AuthError(
                .codeUsed, "The passkey was already used, but Firebase's response was lost. Start again.",
                remedies: [.startAgain], provider: error.provider)
        }
    }

    private func add(_ result: PasskeyResult, in flow: FlowMemory) async throws(AuthError) -> JSONResponse {
        let session = try flow.session(toAdd: "passkey")
        var body: JSONObject = [
            "idToken": .string(session.accessToken.reveal()), "authenticatorRegistrationResponse": result.json,
        ]
        if let name = session.user.nameOfPasskeys { body["name"] = .string(name) }
        return try await api.call("accounts/passkeyEnrollment:finalize", version: "v2", body, secrets: [result.proof])
    }

    private func signIn(_ result: PasskeyResult) async throws(AuthError) -> JSONResponse {
        try await api.call(
            "accounts/passkeySignIn:finalize", version: "v2", ["authenticatorAuthenticationResponse": result.json],
            secrets: [result.proof])
    }
}

/// The user's passkeys, which the user object lists.
struct OwnPasskeys: PasskeyManagement {
    let api: FirebaseAPI

    func all(of session: Session) async throws(AuthError) -> (user: String?, passkeys: [Passkey]) {
        let user = try await api.user(as: session.accessToken, claims: session.claims)
        return (user.id, user.passkeys)
    }

    /// Removes a passkey.
    ///
    /// Firebase returns no error for an unknown passkey, so the user is read first.
    func remove(_ passkey: Passkey, from session: Session) async throws(AuthError) -> Session {
        var session = session
        session.user = try await api.user(as: session.accessToken, claims: session.claims)
        guard session.user.passkeys.contains(where: { $0.id.exact == passkey.id.exact }) else {
            throw AuthError(.invalidInput, "The user does not have this passkey. Use a passkey from `account.passkeys.all()`.")
        }
        let left = (session.user.fields["passkeyInfo"]?.array ?? []).filter {
            $0["credentialId"]?.string?.exact != passkey.id.exact
        }
        var changed = try await api.update(["deletePasskey": [.string(passkey.id)]], of: session)
        changed.user.fields["passkeyInfo"] = .array(left)
        return changed
    }
}

/// The result of the system's dialog, in the parts that Firebase accepts; it rejects unknown members.
private struct PasskeyResult {
    let json: JSON
    /// The credential's id.
    let id: Bytes
    /// The challenge that was signed, in base 64 for URLs.
    let challenge: String?
    /// The value that works only once.
    let proof: Secret

    /// The members of a new passkey and of a signature, and whether each is required.
    static let made = [("attestationObject", true)]
    static let signed = [("authenticatorData", true), ("signature", true), ("userHandle", false)]

    init(_ credential: JSON, of names: [(String, Bool)]) throws(AuthError) {
        guard let id = Bytes(credential["id"]), let client = Bytes(credential["response"]?["clientDataJSON"]) else {
            throw Self.incomplete
        }
        var response: JSONObject = ["clientDataJSON": .string(client.text)]
        for (name, isNeeded) in names {
            let value = credential["response"]?[name]?.filled
            guard value != nil || !isNeeded else { throw Self.incomplete }
            response[name] = value.map(JSON.string)
        }
        self.id = id
        json = ["id": .string(id.text), "response": .object(response)]
        challenge = (try? JSON.parse(client.bytes))?["challenge"]?.string.flatMap { Bytes($0)?.text }
        proof = Secret(client.text)
    }

    private static let incomplete = AuthError(
        .invalidInput, "The passkey's result is incomplete. Pass the result of the system dialog as WebAuthn JSON.")
}

/// Bytes that JSON contains in either alphabet of base 64.
private struct Bytes: Equatable {
    let bytes: [UInt8]

    var text: String { Base64.encode(bytes, .url) }

    init?(_ text: String) {
        guard !text.isEmpty, let bytes = Base64.decode(text.replacing("+", with: "-").replacing("/", with: "_"), .url) else {
            return nil
        }
        self.bytes = bytes
    }

    init?(_ json: JSON?) {
        guard let text = json?.string else { return nil }
        self.init(text)
    }
}

extension User {
    /// The user's passkeys, without the times when they were added and used, because Firebase does not return them.
    var passkeys: [Passkey] {
        (fields["passkeyInfo"]?.array ?? []).compactMap { entry in
            entry["credentialId"]?.filled.map { Passkey(id: $0, name: entry["name"]?.filled) }
        }
    }

    /// The name of a new passkey, by which the user recognizes the account; no call can change it.
    fileprivate var nameOfPasskeys: String? { email ?? phone ?? displayName }
}
