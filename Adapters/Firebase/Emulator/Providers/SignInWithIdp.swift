internal import LockstepPrimitives
internal import LockstepSQLite

/// `accounts:signInWithIdp`: signs in by, or links, an identity at another provider.
struct SignInWithIdp: Endpoint {
    let shape = Shape.signInWithIdp

    func answer(_ request: AuthorizedRequest) throws -> JSON {
        let body = request.body
        try request.requireOpen()
        for name in ["returnRefreshToken", "pendingIdToken"] where body.flag(name) == true || body.given(name) != nil {
            throw APIError.notImplemented("\(name) is not implemented yet.")
        }
        let assertion = try AuthorizationCodeFlow(request: request).assertion() ?? Assertion(request)
        try request.trustedIssuers.requireMethod()
        let claims = try AssertionClaims(request: request).read(assertion)
        let saml = try assertion.samlResponse.map(SAMLAssertion.init)
        let profile = Profile(
            provider: assertion.provider, claims: claims, saml: saml, isLenient: request.settings.mode == .emulator)
        var response = profile.json
        let accessToken = assertion.accessToken ?? "FirebaseAuthEmulatorFakeAccessToken_\(assertion.provider)"
        response["oauthAccessToken"] = .string(accessToken)
        response["oauthIdToken"] = assertion.idToken.map(JSON.string)
        let holder = try request.tokens.holderIfGiven()
        let outcome: ProviderOutcome
        do {
            outcome = try ProviderOutcome(profile, holder: holder, request)
        } catch let error as APIError {
            guard body.flag("returnIdpCredential") == true else { throw error }
            response["errorMessage"] = .string(error.message)
            return .object(response)
        }
        let signIn = BlockingFunctions.SignIn(
            method: profile.provider, profile: profile, idToken: assertion.idToken, accessToken: accessToken)
        return try finish(outcome, profile, signIn, response, request)
    }

    private func finish(
        _ outcome: ProviderOutcome, _ profile: Profile, _ signIn: BlockingFunctions.SignIn, _ response: JSONObject,
        _ request: AuthorizedRequest
    ) throws -> JSON {
        var response = response
        var user = outcome.user
        response["localId"] = .string(user.localID)
        switch outcome.kind {
        case .confirmation(let providers):
            response["needConfirmation"] = true
            response["verifiedProvider"] = providers.map { .array($0.map(JSON.string)) }
            return .object(response)
        case .new:
            if request.body.flag("autoCreate") == false, request.settings.mode == .strict {
                throw APIError.refused(.userNotFound)
            }
            user.createdAt = request.now.milliseconds
            user.lastLoginAt = request.now.milliseconds
            response["isNewUser"] = true
            user.settleIdentities(adding: [profile.identity])
            try request.functions.beforeCreate(&user, signIn)
        case .recycled: response["emailRecycled"] = true
        case .known: break
        }
        let made = user
        let isPending = request.factors.isAsked(of: user)
        let claims =
            isPending
            ? [:] : try request.functions.beforeSignIn(&user, signIn, isNew: outcome.kind == .new, adding: [profile.identity])
        user.settleIdentities(adding: [profile.identity])
        if outcome.kind == .new {
            try request.create(user, asMade: made)
        } else {
            try request.db.update(user, in: request.scope)
        }
        // Also where neither has an address: the answer then has none.
        if user.email == profile.email { response["emailVerified"] = user.emailVerified.map(JSON.bool) }
        response["tenantId"] = request.scope.tenant.map(JSON.string)
        if isPending {
            return .object(response.adding(try request.factors.pending(user, provider: profile.provider)))
        }
        // The link is already written when a disabled user is refused.
        guard user.isDisabled != true else { throw APIError.refused(.userDisabled).keepingChanges }
        user.lastLoginAt = request.now.milliseconds
        let tokens = try request.tokens.issue(
            to: &user, Grant(provider: profile.provider, claims: claims), attributes: profile.attributes)
        try request.db.touch(user, in: request.scope)
        return .object(response.adding(tokens))
    }
}

/// `accounts:revokeToken`: revokes an identity provider's grant, as apps that use Apple must before they delete an account.
///
/// Firebase's emulator lacks it. This emulator does not call the provider: it validates the call and answers as production does.
struct RevokeToken: Endpoint {
    let shape = Shape.revokeToken
    let isReading = true

    func answer(_ request: AuthorizedRequest) throws -> JSON {
        guard request.settings.mode == .strict else {
            throw APIError.notImplemented("identitytoolkit.accounts.revokeToken is not implemented in the Auth Emulator.")
        }
        try request.requireOpen()
        let provider = try request.require(request.body.given("providerId"), .missingProviderID)
        let token = try request.require(request.body.given("idToken"), .missingIDToken)
        try request.require(request.body.given("token") != nil, .invalidResponse, "The token to revoke is missing.")
        try request.trustedIssuers.requireKnown(provider)
        _ = try request.tokens.holder(of: token).user.localID
        return [:]
    }
}
