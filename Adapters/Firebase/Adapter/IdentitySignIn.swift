internal import Lockstep
internal import LockstepHTTP
internal import LockstepPrimitives
internal import LockstepWire

/// The ID token of an identity provider.
struct IDTokenSignIn: SignInStrategy {
    let api: FirebaseAPI

    func supports(_ purpose: CredentialPurpose) -> Bool { true }

    func begin(_ credential: IDTokenCredential, for purpose: CredentialPurpose, in flow: FlowMemory) async throws(AuthError)
        -> AuthStep
    {
        flow.prepare(for: purpose)
        var name = credential.name
        var body = credential.members
        var linked: Session?
        switch purpose {
        case .signUp(let profile): name = name ?? profile.displayName
        case .signIn: break
        case .reauthenticate: body["autoCreate"] = false
        case .link(let session):
            linked = session
            body["idToken"] = .string(session.accessToken.reveal())
        }
        let response = try await api.prove("accounts:signInWithIdp", body, in: flow)
        let answer = IdentityAnswer(
            api: api, response: response, way: .idToken, linked: linked, provider: credential.provider.firebaseID,
            subject: CompactToken.unverifiedClaims(of: credential.token.reveal())?["sub"]?.filled)
        if let step = try await answer.refusal(in: flow) { return step }
        name = name ?? answer.nameOfLinked
        guard response.object["mfaPendingCredential"] == nil else { return try await api.step(for: response, in: flow) }
        let session = try await api.session(for: try api.tokens(response))
        return try await api.step(for: try await api.named(session, session.user.displayName == nil ? name : nil), in: flow)
    }
}

extension IDTokenCredential {
    fileprivate var members: JSONObject {
        var form: HTTPForm = ["providerId": provider.firebaseID]
        form.append("id_token", token)
        form.append("nonce", nonce)
        return [
            "requestUri": "http://localhost", "postBody": .string(form.encoded), "returnSecureToken": true,
            "returnIdpCredential": true,
        ]
    }
}

/// The response of `accounts:signInWithIdp`; some of its errors have status 200.
private struct IdentityAnswer {
    let api: FirebaseAPI
    let response: JSONResponse
    /// The capability with which the identity was presented.
    let way: Capability
    /// The session to which the identity was to be linked.
    let linked: Session?
    /// The identity provider, and its id of the person; `nil` if only the response contains them.
    var provider: String?
    var subject: String?

    /// The name of a linked identity, because linking does not copy the name to the user.
    var nameOfLinked: String? {
        linked == nil ? nil : response.object["displayName"]?.filled ?? response.object["fullName"]?.filled
    }

    /// Returns the step for an error from which an app can continue; `nil` if there is no error.
    func refusal(in flow: FlowMemory) async throws(AuthError) -> AuthStep? {
        if let message = response.object["errorMessage"]?.filled {
            let error = ErrorMapping.error(for: ErrorMapping.report(message: message)).withholding(
                RequestSecrets(of: response.request), knownCode: ErrorMapping.isKnown)
            guard let linked, [.identityAlreadyInUse, .emailAlreadyInUse].contains(error.code) else { throw error }
            if let own = try await own(of: linked) { return .complete(own) }
            return .identityConflict(
                IdentityConflictStep(flow: flow.flow, currentUserID: linked.user.id, signInMethods: [way]))
        }
        if response.object["needConfirmation"]?.bool == true {
            throw AuthError(
                .emailAlreadyInUse,
                "An account already uses this address, and the identity provider has not verified the address. Sign in to that account, then link the identity.",
                remedies: [.signIn], provider: ProviderDetail(code: "needConfirmation", status: 200))
        }
        return nil
    }

    /// Returns the session if the identity already belongs to the signed-in user.
    ///
    /// Firebase treats this as a conflict, too, so a link with a lost response could not be repeated.
    private func own(of session: Session) async throws(AuthError) -> Session? {
        guard let provider = provider ?? response.object["providerId"]?.filled else { return nil }
        // Google's federated id is a URL that ends in the person's id.
        let told = response.object["federatedId"]?.filled.map { $0.replacing("https://accounts.google.com/", with: "") }
        guard let subject = subject ?? told else { return nil }
        var current = session
        current.user = try await api.user(as: session.accessToken, claims: session.claims)
        let isOwn = (current.user.fields["providerUserInfo"]?.array ?? []).contains { identity in
            identity["providerId"]?.string == provider && identity["rawId"]?.string?.exact == subject.exact
        }
        return isOwn ? try await api.renewed(current) : nil
    }
}

/// A custom token, which the app's own server signs with a service account.
///
/// It signs a user in until it expires, after an hour at most. It also creates an account for an unknown id.
struct TicketSignIn: SignInStrategy {
    let api: FirebaseAPI

    /// A custom token identifies its user, and cannot be added to another user.
    func supports(_ purpose: CredentialPurpose) -> Bool {
        if case .link = purpose { false } else { true }
    }

    func begin(_ credential: TicketCredential, for purpose: CredentialPurpose, in flow: FlowMemory) async throws(AuthError)
        -> AuthStep
    {
        if case .reauthenticate(let session) = purpose, let user = credential.user, user.exact != session.user.id.exact {
            throw .anotherUser
        }
        flow.prepare(for: purpose)
        let response = try await api.call(
            "accounts:signInWithCustomToken", ["token": .string(credential.token.reveal()), "returnSecureToken": true])
        let session = try await api.session(for: try api.tokens(response))
        let name = session.user.displayName == nil ? purpose.displayName : nil
        return try await api.step(for: try await api.named(session, name), in: flow)
    }
}

extension TicketCredential {
    /// The user whom a custom token signs in, according to the token.
    ///
    /// Firebase would create an account for an unknown id.
    fileprivate var user: String? { CompactToken.unverifiedClaims(of: token.reveal())?["uid"]?.filled }
}

extension FirebaseAPI {
    /// Sends a verification that signs in.
    ///
    /// - Throws: `userMismatch` if a reauthentication verifies an identity without an account, because the signed-in
    ///   user has one.
    func prove(_ method: String, _ body: JSONObject, secrets: [Secret] = [], in flow: FlowMemory) async throws(AuthError)
        -> JSONResponse
    {
        do {
            return try await call(method, body, secrets: secrets)
        } catch {
            guard flow.flow.kind == .reauthentication, error.provider?.code == "USER_NOT_FOUND" else { throw error }
            var mismatch = AuthError.anotherUser
            mismatch.provider = error.provider
            throw mismatch
        }
    }
}

/// A redirect through an identity provider's pages: Firebase creates the page's URL, and the adapter sends the callback
/// URL to Firebase unchanged.
///
/// The callback is bound to the flow twice: by `state`, which the client compares, and by the session of the redirect,
/// which Firebase compares.
struct OAuthSignIn: SignInStrategy {
    let api: FirebaseAPI

    func supports(_ purpose: CredentialPurpose) -> Bool { true }

    /// Requests the page.
    ///
    /// - Throws: `unsupported` for pages that send their response with a form (Apple's), and for providers whose pages
    ///   have no state (SAML, Twitter).
    func begin(_ credential: OAuthCredential, for purpose: CredentialPurpose, in flow: FlowMemory) async throws(AuthError)
        -> AuthStep
    {
        guard let callback = api.configuration.continueURL else { throw .unsupported(.oauth, by: FirebaseAdapter.name) }
        let provider = credential.provider.firebaseID
        guard !provider.hasPrefix("saml."), provider != "twitter.com" else {
            throw AuthError(
                .unsupported,
                "The response of \(provider) cannot be bound to this device, because it contains no state. Use an OpenID Connect provider."
            )
        }
        flow.prepare(for: purpose)
        let session = Secret(api.randomness.text(32))
        var body: JSONObject = [
            // Without this, Google's page puts tokens into the fragment of the callback.
            "authFlowType": "CODE_FLOW", "providerId": .string(provider), "continueUri": .string(callback),
            "sessionId": .string(session.reveal()),
        ]
        if !credential.scopes.isEmpty { body["oauthScope"] = .string(credential.scopes.joined(separator: " ")) }
        if !credential.parameters.isEmpty {
            body["customParameter"] = .object(
                JSONObject(credential.parameters.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) }))
        }
        if case .link(let session) = purpose {
            // The session's user may be an hour old, and an identity that was added meanwhile does not belong to this
            // flow.
            let user = try await api.user(as: session.accessToken, claims: session.claims)
            flow[.identityBefore] = user.identityID(at: provider)
            flow[.provider] = provider
        }
        let response = try await api.call("accounts:createAuthUri", body, secrets: [session])
        guard let page = response.object["authUri"]?.filled else { throw ErrorMapping.incomplete("the page to open") }
        let parameters = (try? Callback(page, deciding: { ["state", "response_mode"].contains($0) }))?.parameters
        // Apple's page does this if the request asks for a name or an address; only a server can read that response.
        guard parameters?["response_mode"] != "form_post" else {
            throw AuthError(
                .unsupported,
                "The page of \(provider) sends its response as a POST request, which an app cannot receive. Sign in with the provider's ID token."
            )
        }
        guard let state = parameters?["state"], !state.isEmpty else {
            throw ErrorMapping.incomplete("the state in the URL of the page")
        }
        flow[FlowMemory.stateNote] = Secret(state)
        flow[.roundTrip] = session
        flow[.newName] = purpose.displayName
        return .redirect(RedirectStep(flow: flow.flow, url: page))
    }

    /// Handles the callback of the flow's own redirect, even if an earlier call has linked its identity and the
    /// response was lost.
    ///
    /// - Throws: `linkUsed` if a sign-in with it has succeeded and the response was lost; `linkInvalid`, also if the
    ///   callback contains
    ///   something that the page of a redirect never adds: Firebase reads an identity from the callback's parameters,
    ///   whatever
    ///   the flow's own page was.
    func finish(_ callback: Callback, in flow: FlowMemory) async throws(AuthError) -> AuthStep {
        guard let session = flow[.roundTrip] else {
            throw AuthError(
                .flowStartedElsewhere, "This device did not start the redirect of this link.", remedies: [.startAgain])
        }
        guard !callback.bringsIdentity else { throw ActionLink.unreadable }
        var body: JSONObject = [
            "requestUri": .string(address(of: callback)), "sessionId": .string(session.reveal()), "returnSecureToken": true,
            "returnIdpCredential": true,
        ]
        var linked: Session?
        switch flow.flow.kind {
        case .linking:
            let current = try flow.session(toAdd: "identity")
            linked = current
            body["idToken"] = .string(current.accessToken.reveal())
        case .reauthentication: body["autoCreate"] = false
        default: break
        }
        let response: JSONResponse
        let answer: IdentityAnswer
        let proof = Secret(address(of: callback))
        do {
            response = try await flow.sending(proof) { [body] () async throws(AuthError) in
                try await api.prove("accounts:signInWithIdp", body, secrets: [session], in: flow)
            }
            answer = IdentityAnswer(api: api, response: response, way: .oauth, linked: linked)
            if let step = try await answer.refusal(in: flow) { return step }
        } catch {
            // For an ID token, this code means the token; here it means the callback's code or state.
            guard error.provider?.code == "INVALID_IDP_RESPONSE" else { throw error }
            if flow.mayHaveCounted(proof) {
                if let step = try await linkedBefore(in: flow) { return step }
                throw AuthError(
                    .linkUsed,
                    "The identity provider's response was already used, but Firebase's response was lost. Start again.",
                    remedies: [.startAgain], provider: error.provider)
            }
            throw AuthError(
                .linkInvalid,
                "The identity provider's response was already used, has expired, or belongs to another redirect. Start again.",
                remedies: [.startAgain], provider: error.provider)
        }
        return await api.named(try await api.step(forSpent: response, in: flow), flow[.newName] ?? answer.nameOfLinked)
    }

    /// Returns the callback as the provider's page sent it: at the configured URL, with its query, and without
    /// additions of others.
    private func address(of callback: Callback) -> String {
        let units = callback.url.utf8.prefix { $0 != UInt8(ascii: "#") }
        let query = units.firstIndex(of: UInt8(ascii: "?")).map { units[$0...].dropFirst() } ?? units[units.endIndex...]
        // Firebase rejects the whole URL because of one broken parameter.
        let pairs = query.split(separator: UInt8(ascii: "&")).map { Substring($0) }.filter { pair in
            let parts = pair.utf8.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            let texts = parts.map { Percent.decode(Substring($0), plusIsSpace: true) }
            return !texts.contains(nil) && texts.first.flatMap(\.self).map(Callback.mayDecide) == true
        }
        return (api.configuration.continueURL ?? "") + (pairs.isEmpty ? "" : "?" + pairs.joined(separator: "&"))
    }

    /// Returns the step of a link that has succeeded, if the user has another identity of the provider than at the
    /// start of the flow.
    private func linkedBefore(in flow: FlowMemory) async throws(AuthError) -> AuthStep? {
        guard flow.flow.kind == .linking, let provider = flow[.provider] else { return nil }
        return try await api.added(in: flow) { user in
            guard let identity = user.identityID(at: provider) else { return false }
            return identity != flow[.identityBefore]
        }
    }
}
