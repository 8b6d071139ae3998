internal import Lockstep
internal import LockstepHTTP
internal import LockstepPrimitives
internal import LockstepWire

/// The ID token of an identity provider.
struct IDTokenSignIn: SignInStrategy {
    let api: FirebaseAPI

    func begin(_ credential: IDTokenCredential, for purpose: CredentialPurpose, in flow: FlowMemory) async throws(AuthError)
        -> SignInStep
    {
        flow.prepare(for: purpose)
        var name = credential.name
        var body = credential.members
        switch purpose {
        case .signUp(let profile): name = name ?? profile.displayName
        case .signIn: break
        case .reauthenticate: body["autoCreate"] = false
        case .link(let session): body["idToken"] = .string(session.accessToken.reveal())
        }
        let response = try await api.call("accounts:signInWithIdp", body)
        if let refusal = try refusal(in: response, for: purpose, flow) {
            guard case .link(let session) = purpose, case .identityConflict = refusal,
                let linked = try await linked(credential, to: session)
            else { return refusal }
            return .complete(linked)
        }
        if case .link = purpose {
            // Linking copies no name to the user.
            name = name ?? response.object["displayName"]?.filled ?? response.object["fullName"]?.filled
        }
        guard response.object["mfaPendingCredential"] == nil else { return try await api.step(for: response, in: flow) }
        let session = try await api.session(for: try api.tokens(response))
        return try await api.step(for: try await api.named(session, session.user.displayName == nil ? name : nil), in: flow)
    }

    /// The session, where the identity is its own user's already: Firebase calls that a conflict as well, so a link whose answer was lost
    /// could not be repeated.
    private func linked(_ credential: IDTokenCredential, to session: Session) async throws(AuthError) -> Session? {
        guard let subject = CompactToken.unverifiedClaims(of: credential.token.reveal())?["sub"]?.filled else { return nil }
        var current = session
        current.user = try await api.user(as: session.accessToken, claims: session.claims)
        let own = current.user.fields["providerUserInfo"]?.array ?? []
        let isOwn = own.contains { identity in
            identity["providerId"]?.string == credential.provider.firebaseID && identity["rawId"]?.string == subject
        }
        return isOwn ? try await api.renewed(current) : nil
    }

    /// Some refusals come with status 200.
    private func refusal(in response: JSONResponse, for purpose: CredentialPurpose, _ flow: FlowMemory) throws(AuthError)
        -> SignInStep?
    {
        if let message = response.object["errorMessage"]?.filled {
            let error = ErrorMapping.error(for: ErrorMapping.report(message: message)).withholding(
                RequestSecrets(of: response.request))
            guard case .link(let session) = purpose, [.identityAlreadyInUse, .emailAlreadyInUse].contains(error.code) else {
                throw error
            }
            return .identityConflict(
                IdentityConflictStep(flow: flow.flow, currentUserID: session.user.id, waysToSignIn: [.idToken]))
        }
        if response.object["needConfirmation"]?.bool == true {
            throw AuthError(
                .emailAlreadyInUse,
                "An account has this address, and the identity provider has not proven it. Sign in to that account, then link.",
                remedies: [.signIn], provider: ProviderDetail(code: "needConfirmation", status: 200))
        }
        return nil
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
