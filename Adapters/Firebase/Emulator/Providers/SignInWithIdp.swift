internal import LockstepPrimitives
internal import LockstepSQLite

/// `accounts:signInWithIdp`: signs in by, or links, an identity at another provider.
struct SignInWithIdp: Operation {
    let shape = Shape.signInWithIdp
    let effort = Effort.tokens

    func answer(_ call: Call) throws -> JSON {
        let body = call.body
        try call.requireOpen()
        for name in ["returnRefreshToken", "pendingIdToken"] where body.flag(name) == true || body.given(name) != nil {
            throw APIError.notImplemented("\(name) is not implemented yet.")
        }
        let assertion = try Assertion(call)
        try call.require(
            call.rules.methods.contains(.identityProvider), .operationNotAllowed,
            "The identity provider configuration is not found.")
        let claims = try call.claims(of: assertion)
        let saml = try assertion.samlResponse.map(SAMLAssertion.init)
        let profile = Profile(
            provider: assertion.provider, claims: claims, saml: saml, isLenient: call.settings.mode == .emulator)
        var answer = profile.json
        answer["oauthAccessToken"] = .string(
            assertion.accessToken ?? "FirebaseAuthEmulatorFakeAccessToken_\(assertion.provider)")
        answer["oauthIdToken"] = assertion.idToken.map(JSON.string)
        return try call.transaction { db -> Result<JSON, APIError> in
            let holder = try call.holderIfGiven(&db)
            let outcome: ProviderOutcome
            do throws(APIError) {
                outcome = try ProviderOutcome(profile, holder: holder, call, &db)
            } catch {
                guard body.flag("returnIdpCredential") == true else { throw error }
                answer["errorMessage"] = .string(error.message)
                return .success(.object(answer))
            }
            return try finish(outcome, profile, answer, call, &db)
        }.get()
    }

    private func finish(
        _ outcome: ProviderOutcome, _ profile: Profile, _ answer: JSONObject, _ call: Call, _ db: inout SQLiteConnection
    ) throws -> Result<JSON, APIError> {
        var answer = answer
        var user = outcome.user
        answer["localId"] = .string(user.localID)
        switch outcome.kind {
        case .confirmation(let providers):
            answer["needConfirmation"] = true
            answer["verifiedProvider"] = providers.map { .array($0.map(JSON.string)) }
            return .success(.object(answer))
        case .new:
            if call.body.flag("autoCreate") == false, call.settings.mode == .strict { throw APIError.refused(.userNotFound) }
            user.createdAt = call.now.milliseconds
            answer["isNewUser"] = true
        case .recycled: answer["emailRecycled"] = true
        case .known: break
        }
        user.settleIdentities(adding: [profile.identity])
        if outcome.kind == .new { try db.insert(user, in: call.space) } else { try db.update(user, in: call.space) }
        // Also where neither has an address: the answer then has none.
        if user.email == profile.email { answer["emailVerified"] = user.emailVerified.map(JSON.bool) }
        answer["tenantId"] = call.space.tenant.map(JSON.string)
        if call.asksForFactor(user) {
            return .success(.object(answer.adding(try call.pending(user, provider: profile.provider, &db))))
        }
        // The link is already written when a disabled user is refused.
        guard user.isDisabled != true else { return .failure(.refused(.userDisabled)) }
        user.lastLoginAt = call.now.milliseconds
        let tokens = try call.issue(to: &user, Grant(provider: profile.provider), attributes: profile.attributes, &db)
        try db.touch(user, in: call.space)
        return .success(.object(answer.adding(tokens)))
    }
}
