internal import Lockstep
internal import LockstepHTTP
internal import LockstepPrimitives
internal import LockstepWire

/// The ID token of an identity provider.
struct IDTokenSignIn: SignInStrategy {
    let api: GoTrueAPI

    func begin(_ credential: IDTokenCredential, for purpose: CredentialPurpose, in flow: FlowMemory) async throws(AuthError)
        -> SignInStep
    {
        flow.prepare(for: purpose)
        var body: JSONObject = [
            "provider": .string(credential.provider.rawValue), "id_token": .string(credential.token.reveal()),
        ]
        if let nonce = credential.nonce { body["nonce"] = .string(nonce.reveal()) }
        var linked: Session?
        if case .link(let session) = purpose {
            linked = session
            body["link_identity"] = true
        }
        let session: Session
        do {
            let response = try await api.call(
                .post, "/token", query: ["grant_type": "id_token"], body: body, as: linked?.accessToken)
            session = try api.session(from: response)
        } catch {
            guard let linked, error.code == .identityAlreadyInUse else { throw error }
            return .identityConflict(
                IdentityConflictStep(flow: flow.flow, currentUserID: linked.user.id, waysToSignIn: [.idToken]))
        }
        return try await api.step(for: try await named(session, by: credential, for: purpose), in: flow)
    }

    /// Stores the name, which the provider sends once only, on a user who has none.
    ///
    /// GoTrue takes names from tokens only, and not when linking.
    private func named(_ session: Session, by credential: IDTokenCredential, for purpose: CredentialPurpose)
        async throws(AuthError)
        -> Session
    {
        guard session.user.displayName == nil else { return session }
        var name = credential.name
        switch purpose {
        case .signUp(let profile): name = name ?? profile.displayName
        case .link: name = name ?? CompactToken.unverifiedClaims(of: credential.token.reveal())?["name"]?.filled
        case .signIn, .reauthenticate: break
        }
        guard let name, !name.isEmpty else { return session }
        let data: JSON = ["display_name": .string(name)]
        do {
            let response = try await api.call(.put, "/user", body: ["data": data], as: session.accessToken)
            return api.outdated(session, user: try User(goTrue: response.object))
        } catch {
            // A retry of the whole call with the same token would leave this session behind.
            await api.leave(session)
            throw error
        }
    }
}
