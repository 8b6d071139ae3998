internal import LockstepEmulation
internal import LockstepPrimitives

/// Tokens and session cookies.
struct TokenRoutes {
    let context: RequestContext

    static let refreshBody: BodySchema = ["code": .text, "grantType": .text, "refreshToken": .text]

    /// `POST /v1/token`: returns a new ID token for a refresh token, which stays the same.
    func refresh() throws -> JSON {
        let type = try context.require(context.body.given("grantType"), .missingGrantType)
        try context.require(type == "refresh_token", .invalidGrantType)
        let token = try context.require(context.body.given("refreshToken"), .missingRefreshToken)
        let session = try context.require(try Session.find(token, context), .invalidRefreshToken)
        try context.require(session.project == context.scope.project, .invalidRefreshToken)
        if context.scope.tenant != nil { try context.require(session.tenant == context.scope.tenant, .tenantMismatch) }
        guard var user = try context.users.find(session.localID) else {
            throw APIError.refused(context.isStrict ? .userNotFound : .invalidRefreshToken)
        }
        if context.isStrict, let validSince = user.validSince, let createdAt = session.createdAt {
            try context.require(createdAt.seconds >= validSince, .tokenExpired)
        }
        try context.require(user.isDisabled != true, .userDisabled)
        let tokens = try context.tokens.issue(to: &user, session.grant, keeping: token)
        try context.users.touch(user)
        return [
            "id_token": tokens["idToken"] ?? .null,
            "access_token": tokens["idToken"] ?? .null,
            "expires_in": tokens["expiresIn"] ?? .null,
            "refresh_token": tokens["refreshToken"] ?? .null,
            "token_type": "Bearer",
            "user_id": .string(user.localID),
            "project_id": .string(context.settings.projectNumber),
        ]
    }

    static let cookieBody: BodySchema = ["idToken": .text, "tenantId": .text, "validDuration": .text]

    private static let lifetimes: ClosedRange<Int64> = 300...1_209_600

    /// `projects.createSessionCookie`: returns an ID token's claims under a different issuer, for up to two weeks.
    func createSessionCookie() throws -> JSON {
        let token = try context.require(context.body.given("idToken"), .missingIDToken)
        let asked = context.body.text("validDuration").flatMap { Double($0) }.flatMap { Int64(exactly: $0.rounded(.down)) } ?? 0
        let lifetime = asked == 0 ? Self.lifetimes.upperBound : asked
        try context.require(Self.lifetimes.contains(lifetime), .invalidDuration)
        var claims = try context.tokens.holder(of: token).claims
        claims["iat"] = .int(context.now.seconds)
        claims["exp"] = .int(context.now.seconds + lifetime)
        claims["iss"] = .string("https://session.firebase.google.com/\(claims["aud"]?.string ?? context.scope.project)")
        return ["sessionCookie": .string(try context.tokens.sign(claims))]
    }

    static let revokeBody: BodySchema = [
        "idToken": .text, "providerId": .text, "redirectUri": .text, "tenantId": .text, "token": .text,
        "tokenType": .choice(["TOKEN_TYPE_UNSPECIFIED", "REFRESH_TOKEN", "ACCESS_TOKEN", "CODE"]),
    ]

    /// `accounts:revokeToken`: revokes an identity provider's grant, as apps with Sign in with Apple must before they
    /// delete an account.
    ///
    /// Firebase's emulator lacks this call. This emulator does not call the provider: it checks the call and responds
    /// as production does.
    func revoke() throws -> JSON {
        guard context.isStrict else {
            throw APIError.notImplemented("identitytoolkit.accounts.revokeToken is not implemented in the Auth Emulator.")
        }
        try context.requireOpen()
        let provider = try context.require(context.body.given("providerId"), .missingProviderID)
        let token = try context.require(context.body.given("idToken"), .missingIDToken)
        try context.require(context.body.given("token") != nil, .invalidResponse, "The token to revoke is missing.")
        try context.trustedIssuers.requireKnown(provider)
        _ = try context.tokens.holder(of: token).user.localID
        return [:]
    }
}
