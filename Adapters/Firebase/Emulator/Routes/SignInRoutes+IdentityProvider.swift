internal import LockstepEmulation
internal import LockstepPrimitives

extension SignInRoutes {
    static let beginBody: BodySchema = [
        "appId": .text, "authFlowType": .text, "context": .text, "continueUri": .text, "customParameter": .map(.text),
        "hostedDomain": .text, "identifier": .text, "oauthConsumerKey": .text, "oauthScope": .text, "openidRealm": .text,
        "otaApp": .text, "providerId": .text, "sessionId": .text, "tenantId": .text,
    ]

    /// `accounts:createAuthUri`: returns how the owner of an address can sign in, or the page of an identity provider.
    func begin() throws -> JSON {
        let body = context.body
        if let provider = body.given("providerId") { return try AuthorizationCodeFlow(context: context).begin(provider) }
        let identifier = try context.require(body.given("identifier"), .missingIdentifier)
        let continueURI = try context.require(body.given("continueUri"), .missingContinueURI)
        try context.require(Formats.isEmail(identifier), .invalidIdentifier)
        try context.require(WebAddress(continueURI) != nil, .invalidContinueURI)
        let session = body.given("sessionId") ?? context.newID(27)
        var response: JSONObject = ["kind": "identitytoolkit#CreateAuthUriResponse", "sessionId": .string(session)]
        guard !context.rules.hidesEmails else { return .object(response) }
        let users = try context.users.all(emailAnywhere: Formats.canonical(identifier))
        let (providers, methods) = context.rules.allowsDuplicateEmails ? passwordOnly(users) : everything(users.first)
        let isRegistered = context.rules.allowsDuplicateEmails ? users.contains { $0.email != nil } : !users.isEmpty
        response["registered"] = .bool(isRegistered)
        response["allProviders"] = .array(providers.map(JSON.string))
        response["signinMethods"] = .array(methods.map(JSON.string))
        return .object(response)
    }

    private func everything(_ user: User?) -> (providers: [String], methods: [String]) {
        var providers: [String] = []
        var methods: [String] = []
        for identity in user?.identities ?? [] where identity.providerID != ProviderID.phone {
            providers.append(identity.providerID)
            methods += identity.providerID == ProviderID.password ? passwordMethods(user) : [identity.providerID]
        }
        return (providers, methods)
    }

    private func passwordOnly(_ users: [User]) -> (providers: [String], methods: [String]) {
        let methods = passwordMethods(users.first { $0.email != nil })
        return (methods.isEmpty ? [] : [ProviderID.password], methods)
    }

    private func passwordMethods(_ user: User?) -> [String] {
        (user?.password != nil ? [ProviderID.password] : []) + (user?.signsInByLink == true ? ["emailLink"] : [])
    }

    static let identityProviderBody: BodySchema = [
        "autoCreate": .flag, "delegatedProjectNumber": .text, "idToken": .text, "pendingIdToken": .text, "pendingToken": .text,
        "postBody": .text, "requestUri": .text, "returnIdpCredential": .flag, "returnRefreshToken": .flag,
        "returnSecureToken": .flag, "sessionId": .text, "tenantId": .text,
    ]

    /// `accounts:signInWithIdp`: signs in with an identity at another provider, or links the identity.
    func withIdentityProvider() throws -> JSON {
        let body = context.body
        for name in ["returnRefreshToken", "pendingIdToken"] where body.flag(name) == true || body.given(name) != nil {
            throw APIError.notImplemented("\(name) is not implemented yet.")
        }
        let assertion = try AuthorizationCodeFlow(context: context).assertion() ?? Assertion(context)
        try context.trustedIssuers.requireMethod()
        let claims = try AssertionClaims(context: context).read(assertion)
        let saml = try assertion.samlResponse.map(SAMLAssertion.init)
        let profile = Profile(
            provider: assertion.provider, claims: claims, saml: saml, isLenient: !context.isStrict)
        var response = profile.json
        let accessToken = assertion.accessToken ?? "FirebaseAuthEmulatorFakeAccessToken_\(assertion.provider)"
        response["oauthAccessToken"] = .string(accessToken)
        response["oauthIdToken"] = assertion.idToken.map(JSON.string)
        let holder = try context.tokens.holderIfGiven()
        let outcome: ProviderOutcome
        do {
            outcome = try ProviderOutcome(profile, holder: holder, context)
        } catch let error as APIError {
            guard body.flag("returnIdpCredential") == true else { throw error }
            response["errorMessage"] = .string(error.message)
            return .object(response)
        }
        let signIn = BlockingFunctions.SignIn(
            method: profile.provider, profile: profile, idToken: assertion.idToken, accessToken: accessToken)
        return try finish(outcome, profile, signIn, response)
    }

    private func finish(
        _ outcome: ProviderOutcome, _ profile: Profile, _ signIn: BlockingFunctions.SignIn, _ response: JSONObject
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
            if context.body.flag("autoCreate") == false, context.isStrict {
                throw APIError.refused(.userNotFound)
            }
            user.createdAt = context.now.milliseconds
            user.lastLoginAt = context.now.milliseconds
            response["isNewUser"] = true
            user.settleIdentities(adding: [profile.identity])
            try context.functions.beforeCreate(&user, signIn)
        case .recycled: response["emailRecycled"] = true
        case .known: break
        }
        let made = user
        let isPending = context.factors.isAsked(of: user)
        let claims =
            isPending
            ? [:] : try context.functions.beforeSignIn(&user, signIn, isNew: outcome.kind == .new, adding: [profile.identity])
        user.settleIdentities(adding: [profile.identity])
        if outcome.kind == .new {
            try context.users.create(user, asMade: made)
        } else {
            try context.users.update(user)
        }
        // This also applies if neither has an address; the response then contains none.
        if user.email == profile.email { response["emailVerified"] = user.emailVerified.map(JSON.bool) }
        response["tenantId"] = context.scope.tenant.map(JSON.string)
        if isPending {
            return .object(response.adding(try context.factors.pending(user, provider: profile.provider)))
        }
        // When a disabled user is rejected, the link is already stored.
        guard user.isDisabled != true else { throw APIError.refused(.userDisabled).keepingChanges }
        user.lastLoginAt = context.now.milliseconds
        let tokens = try context.tokens.issue(
            to: &user, Grant(provider: profile.provider, claims: claims), attributes: profile.attributes)
        try context.users.touch(user)
        return .object(response.adding(tokens))
    }
}
