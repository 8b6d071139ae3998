internal import Lockstep
internal import LockstepHTTP
internal import LockstepPrimitives
internal import LockstepWire

/// The ID token of an identity provider.
///
/// Clerk's API has no parameter for a nonce and does not check it (Clerk's Frontend API, sign_ins, `oauth_token_apple`).
struct IDTokenSignIn: SignInStrategy {
    let api: ClerkAPI

    /// Clerk renews a sign-in with a password or a code.
    func supports(_ purpose: CredentialPurpose) -> Bool { if case .reauthenticate = purpose { false } else { true } }

    func begin(_ credential: IDTokenCredential, for purpose: CredentialPurpose, in flow: FlowMemory) async throws(AuthError)
        -> AuthStep
    {
        if case .link(let session) = purpose { return try await link(credential, to: session, in: flow) }
        flow.prepareClient()
        let form = [
            (name: "strategy", value: Self.strategy(credential.provider)), (name: "token", value: credential.token.reveal()),
        ]
        let step: AuthStep
        do {
            let response = try await api.begin(form, in: flow)
            let verification = try response.resource()["first_factor_verification"]
            step =
                verification?["status"]?.string == "transferable"
                ? try await signUp([("transfer", "true")], in: flow) : try await api.step(ofSignIn: response, in: flow)
        } catch  where error.provider?.code == "external_account_not_found" {
            step = try await signUp(form, in: flow)
        }
        return try await named(step, credential.name ?? purpose.displayName)
    }

    /// The token is valid and no user has the identity, so the sign-in becomes a sign-up.
    private func signUp(_ form: [(name: String, value: String)], in flow: FlowMemory) async throws(AuthError) -> AuthStep {
        try await api.step(ofSignUp: try await api.beginSignUp(form, in: flow), in: flow)
    }

    /// Stores the name, which the provider sends only once, if the user has no name.
    private func named(_ step: AuthStep, _ name: String?) async throws(AuthError) -> AuthStep {
        guard case .complete(let session) = step, session.user.displayName == nil, let name, !name.isEmpty else { return step }
        do {
            return .complete(try await OwnProfileUpdate(api: api).update(ProfileChanges(displayName: name), of: session))
        } catch {
            // If the whole call were repeated with the same token, this session would remain.
            try? await ClerkSessions(api: api).revoke(session, scope: .local)
            throw error
        }
    }

    private func link(_ credential: IDTokenCredential, to session: Session, in flow: FlowMemory) async throws(AuthError)
        -> AuthStep
    {
        let form = [
            (name: "strategy", value: Self.strategy(credential.provider)), (name: "token", value: credential.token.reveal()),
        ]
        do {
            _ = try await api.about(session, .post, "/me/external_accounts", form)
        } catch  where error.code == .identityAlreadyInUse {
            // Clerk returns the same error for the user's own account. Without this check, a link whose response was
            // lost could not be repeated.
            let own = try await ClerkSessions(api: api).reload(session)
            if own.user.has(credential) { return .complete(own) }
            return .identityConflict(
                IdentityConflictStep(flow: flow.flow, currentUserID: session.user.id, signInMethods: [.idToken]))
        }
        return .complete(try await ClerkSessions(api: api).reload(session))
    }

    private static func strategy(_ provider: IdentityProvider) -> String {
        provider == .google ? "google_one_tap" : "oauth_token_\(provider)"
    }
}

extension User {
    /// Whether the account of this token belongs to the user.
    fileprivate func has(_ credential: IDTokenCredential) -> Bool {
        guard let subject = CompactToken.unverifiedClaims(of: credential.token.reveal())?["sub"]?.filled else { return false }
        return fields["external_accounts"]?.array?.contains { account in
            account["provider"]?.string?.hasSuffix(credential.provider.rawValue) == true
                && account["provider_user_id"]?.string?.exact == subject.exact
        } == true
    }
}

/// A ticket that the app's server has created: for a sign-in, or as an invitation for a sign-up.
struct TicketSignIn: SignInStrategy {
    let api: ClerkAPI

    func begin(_ credential: TicketCredential, for purpose: CredentialPurpose, in flow: FlowMemory) async throws(AuthError)
        -> AuthStep
    {
        let form = [(name: "strategy", value: "ticket"), (name: "ticket", value: credential.token.reveal())]
        if case .signUp(let profile) = purpose { return try await api.signUp(form, profile, in: flow) }
        flow.prepareClient()
        let response = try await api.begin(form, in: flow)
        return try await api.step(ofSignIn: response, in: flow)
    }
}

/// A redirect through an identity provider's pages: to sign in, or to add the account there to the user.
struct OAuthSignIn: SignInStrategy {
    let api: ClerkAPI

    /// Clerk renews a sign-in with a password or a code.
    func supports(_ purpose: CredentialPurpose) -> Bool { if case .reauthenticate = purpose { false } else { true } }

    func begin(_ credential: OAuthCredential, for purpose: CredentialPurpose, in flow: FlowMemory) async throws(AuthError)
        -> AuthStep
    {
        guard let callback = api.configuration.callback else { throw .unsupported(.oauth, by: ClerkAdapter.name) }
        if case .link(let session) = purpose { return try await link(credential, to: session, callback, in: flow) }
        guard credential.scopes.isEmpty else {
            throw AuthError(
                .unsupported,
                "Clerk uses the scopes from the provider's settings in the dashboard. Remove the scopes from the call.")
        }
        let further = try Self.further(credential)
        flow.prepareClient()
        let response = try await api.begin(
            [("strategy", "oauth_\(credential.provider)"), ("redirect_url", callback.url)] + further, in: flow)
        let attempt = try response.resource()
        flow[.signIn] = attempt["id"]?.string
        flow[.stage] = ClerkAPI.Stage.redirect.rawValue
        return try Self.redirect(to: attempt["first_factor_verification"], in: flow)
    }

    /// Starts to add an account.
    ///
    /// It is added when the provider's page has redirected to the app; further scopes may be requested.
    private func link(
        _ credential: OAuthCredential, to session: Session, _ callback: CallbackAddress, in flow: FlowMemory
    ) async throws(AuthError) -> AuthStep {
        let scopes = credential.scopes.map { (name: "additional_scope", value: $0) }
        let form = [(name: "strategy", value: "oauth_\(credential.provider)"), (name: "redirect_url", value: callback.url)]
        let account = try await api.about(session, .post, "/me/external_accounts", form + scopes + (try Self.further(credential)))
            .resource()
        flow[.account] = account["id"]?.string
        flow[.stage] = ClerkAPI.Stage.linking.rawValue
        return try Self.redirect(to: account["verification"], in: flow)
    }

    private static func redirect(to verification: JSON?, in flow: FlowMemory) throws(AuthError) -> AuthStep {
        guard let url = verification?["external_verification_redirect_url"]?.filled else {
            throw ErrorMapping.incomplete("the page to open")
        }
        return .redirect(RedirectStep(flow: flow.flow, url: url))
    }

    /// Returns the two parameters that Clerk passes on to a provider's page (Clerk's Frontend API, `sign_ins` and
    /// `external_accounts`).
    private static func further(_ credential: OAuthCredential) throws(AuthError) -> [(name: String, value: String)] {
        var form: [(name: String, value: String)] = []
        for (name, value) in credential.parameters.sorted(by: { $0.key < $1.key }) {
            guard ["prompt", "login_hint"].contains(name) else {
                throw AuthError(
                    .unsupported, "Clerk forwards only the parameters prompt and login_hint, not \(name). Remove it.")
            }
            form.append(("oidc_" + name, value))
        }
        return form
    }
}
