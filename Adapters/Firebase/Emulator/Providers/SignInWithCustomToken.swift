internal import LockstepPrimitives
internal import LockstepSQLite
internal import LockstepTokens

/// `accounts:signInWithCustomToken`: a token that the project's own server made names the user.
struct SignInWithCustomToken: Endpoint {
    let shape = Shape.signInWithCustomToken

    private static let audience = "https://identitytoolkit.googleapis.com/google.identity.identitytoolkit.v1.IdentityToolkit"

    func answer(_ request: AuthorizedRequest) throws -> JSON {
        try request.requireOpen()
        let claims = try claims(of: try request.require(request.body.given("token"), .missingCustomToken), request)
        let localID = try request.require(Self.text(claims["uid"]) ?? Self.text(claims["user_id"]), .missingIdentifier)
        try request.require(!localID.isEmpty, .missingIdentifier)
        if let extra = claims["claims"] { try CustomClaims.check(extra) }
        let known = try request.db.user(localID, in: request.scope)
        try request.require(known?.isDisabled != true, .userDisabled)
        var user = known ?? User(localID: localID)
        user.isCustomAuth = true
        user.lastLoginAt = request.now.milliseconds
        user.tenantID = request.scope.tenant
        if known == nil {
            try request.db.forgetSessions(ofFormer: localID, in: request.scope)
            user.createdAt = request.now.milliseconds
            user.settleIdentities()
        }
        let grant = Grant(provider: ProviderID.custom, claims: claims["claims"]?.object ?? [:])
        let tokens = try request.tokens.issue(to: &user, grant)
        if known == nil { try request.create(user) } else { try request.db.update(user, in: request.scope) }
        let response: JSONObject = [
            "kind": "identitytoolkit#VerifyCustomTokenResponse", "isNewUser": .bool(known == nil),
        ]
        return .object(response.adding(tokens))
    }

    /// In emulator mode bare JSON or any token; in strict mode a token that has not expired and that a key of the settings has
    /// signed, where they name any.
    private func claims(of token: String, _ request: AuthorizedRequest) throws -> JSONObject {
        if token.hasPrefix("{"), request.settings.mode == .emulator {
            guard let claims = (try? JSON.parse(token))?.object else {
                throw APIError.refused(
                    .invalidCustomToken, "((Auth Emulator only accepts strict JSON or JWTs as fake custom tokens.))")
            }
            return claims
        }
        let parsed = request.settings.mode == .strict ? try? UnverifiedToken(token) : OpenToken.foreign(token)
        if let tenant = request.scope.tenant {
            try request.require(parsed?.claims["tenant_id"]?.string == tenant, .tenantMismatch)
        }
        let claims = try request.require(parsed, .invalidCustomToken, "Invalid assertion format").claims
        let audience = claims["aud"]?.string
        guard audience == Self.audience else {
            if request.settings.mode == .strict { throw APIError.refused(.invalidCustomToken, "Invalid assertion audience") }
            throw APIError.refused(
                .invalidCustomToken,
                "((Invalid aud (audience): \(audience ?? "undefined") "
                    + "Note: Firebase ID Tokens / third-party tokens cannot be used with signInWithCustomToken.))")
        }
        if request.settings.mode == .strict {
            guard let keys = request.settings.customTokenKeys else { throw APIError.refused(.credentialMismatch) }
            return try request.state.identityTokens.claims(ofCustomToken: token, keys: keys, now: request.now)
        }
        return claims
    }

    /// Ids may be numbers and Booleans, too.
    private static func text(_ value: JSON?) -> String? {
        switch value {
        case .string(let text): text
        case .int(let number): String(number)
        case .double(let number): "\(number)"
        case .bool(let value): value ? "true" : "false"
        default: nil
        }
    }
}
