internal import LockstepPrimitives
internal import LockstepSQLite
internal import LockstepTokens

/// `accounts:signInWithCustomToken`: a token that the project's own server made names the user.
struct SignInWithCustomToken: Operation {
    let shape = Shape.signInWithCustomToken
    let effort = Effort.tokens

    private static let audience = "https://identitytoolkit.googleapis.com/google.identity.identitytoolkit.v1.IdentityToolkit"

    func answer(_ call: Call) throws -> JSON {
        try call.requireOpen()
        let claims = try claims(of: try call.require(call.body.given("token"), .missingCustomToken), call)
        let localID = try call.require(Self.text(claims["uid"]) ?? Self.text(claims["user_id"]), .missingIdentifier)
        try call.require(!localID.isEmpty, .missingIdentifier)
        if let extra = claims["claims"] { try CustomClaims.check(extra) }
        return try call.transaction { db in
            let known = try db.user(localID, in: call.space)
            try call.require(known?.isDisabled != true, .userDisabled)
            var user = known ?? User(localID: localID)
            user.isCustomAuth = true
            user.lastLoginAt = call.now.milliseconds
            user.tenantID = call.space.tenant
            if known == nil {
                try db.forgetSessions(ofFormer: localID, in: call.space)
                user.createdAt = call.now.milliseconds
                user.settleIdentities()
            }
            let grant = Grant(provider: ProviderID.custom, claims: claims["claims"]?.object ?? [:])
            let tokens = try call.issue(to: &user, grant, &db)
            if known == nil { try db.insert(user, in: call.space) } else { try db.update(user, in: call.space) }
            let answer: JSONObject = [
                "kind": "identitytoolkit#VerifyCustomTokenResponse", "isNewUser": .bool(known == nil),
            ]
            return .object(answer.adding(tokens))
        }
    }

    /// In emulator mode bare JSON or any token; in strict mode a token that has not expired and that a key of the settings has
    /// signed, where they name any.
    private func claims(of token: String, _ call: Call) throws -> JSONObject {
        if token.hasPrefix("{"), call.settings.mode == .emulator {
            guard let claims = (try? JSON.parse(token))?.object else {
                throw APIError.refused(
                    .invalidCustomToken, "((Auth Emulator only accepts strict JSON or JWTs as fake custom tokens.))")
            }
            return claims
        }
        let parsed = try? UnverifiedToken(token)
        if let tenant = call.space.tenant { try call.require(parsed?.claims["tenant_id"]?.string == tenant, .tenantMismatch) }
        let claims = try call.require(parsed, .invalidCustomToken, "Invalid assertion format").claims
        let audience = claims["aud"]?.string
        guard audience == Self.audience else {
            if call.settings.mode == .strict { throw APIError.refused(.invalidCustomToken, "Invalid assertion audience") }
            throw APIError.refused(
                .invalidCustomToken,
                "((Invalid aud (audience): \(audience ?? "undefined") "
                    + "Note: Firebase ID Tokens / third-party tokens cannot be used with signInWithCustomToken.))")
        }
        if call.settings.mode == .strict {
            guard let keys = call.settings.customTokenKeys else { throw APIError.refused(.credentialMismatch) }
            return try call.backend.identityTokens.claims(ofCustomToken: token, keys: keys, now: call.now)
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
