internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepTokens

extension SignInRoutes {
    static let customTokenBody: BodySchema = [
        "delegatedProjectNumber": .text, "instanceId": .text, "returnSecureToken": .flag, "tenantId": .text, "token": .text,
    ]

    /// `accounts:signInWithCustomToken`: signs in the user in a token that the project's own server created.
    func withCustomToken() throws -> JSON {
        let claims = try claims(of: try context.require(context.body.given("token"), .missingCustomToken))
        let localID = try context.require(claims["uid"]?.asText ?? claims["user_id"]?.asText, .missingIdentifier)
        try context.require(!localID.isEmpty, .missingIdentifier)
        if let extra = claims["claims"] { try CustomClaims.check(extra) }
        let known = try context.users.find(localID)
        try context.require(known?.isDisabled != true, .userDisabled)
        var user = known ?? User(localID: localID)
        user.isCustomAuth = true
        user.lastLoginAt = context.now.milliseconds
        user.tenantID = context.scope.tenant
        if known == nil {
            try context.users.forgetSessions(ofFormer: localID)
            user.createdAt = context.now.milliseconds
            user.settleIdentities()
        }
        let grant = Grant(provider: ProviderID.custom, claims: claims["claims"]?.object ?? [:])
        let tokens = try context.tokens.issue(to: &user, grant)
        if known == nil { try context.users.create(user) } else { try context.users.update(user) }
        let response: JSONObject = [
            "kind": "identitytoolkit#VerifyCustomTokenResponse", "isNewUser": .bool(known == nil),
        ]
        return .object(response.adding(tokens))
    }

    /// Returns the claims of a token.
    ///
    /// In emulator mode, the token may be bare JSON or any token. In strict mode, it must not have expired. If the
    /// settings contain keys, one of them must have signed it.
    private func claims(of token: String) throws -> JSONObject {
        if token.hasPrefix("{"), !context.isStrict {
            guard let claims = (try? JSON.parse(token))?.object else {
                throw APIError.refused(
                    .invalidCustomToken, "((Auth Emulator only accepts strict JSON or JWTs as fake custom tokens.))")
            }
            return claims
        }
        let parsed = context.isStrict ? try? UnverifiedToken(token) : OpenToken.foreign(token)
        if let tenant = context.scope.tenant {
            try context.require(parsed?.claims["tenant_id"]?.string == tenant, .tenantMismatch)
        }
        let claims = try context.require(parsed, .invalidCustomToken, "Invalid assertion format").claims
        let audience = claims["aud"]?.string
        guard audience == IdentityTokens.service else {
            if context.isStrict { throw APIError.refused(.invalidCustomToken, "Invalid assertion audience") }
            throw APIError.refused(
                .invalidCustomToken,
                "((Invalid aud (audience): \(audience ?? "undefined") "
                    + "Note: Firebase ID Tokens / third-party tokens cannot be used with signInWithCustomToken.))")
        }
        if context.isStrict {
            guard let keys = context.settings.customTokenKeys else { throw APIError.refused(.credentialMismatch) }
            return try context.state.identityTokens.claims(ofCustomToken: token, keys: keys, now: context.now)
        }
        return claims
    }
}
