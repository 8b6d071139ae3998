internal import LockstepPrimitives
internal import LockstepSQLite

/// `POST /v1/token`: a new ID token for a refresh token, which stays the same.
struct GrantToken: Endpoint {
    let shape = Shape.grantToken

    func answer(_ request: AuthorizedRequest) throws -> JSON {
        let type = try request.require(request.body.given("grantType"), .missingGrantType)
        try request.require(type == "refresh_token", .invalidGrantType)
        let token = try request.require(request.body.given("refreshToken"), .missingRefreshToken)
        let session = try request.require(try Session.find(token, request.context), .invalidRefreshToken)
        try request.require(session.project == request.scope.project, .invalidRefreshToken)
        if request.scope.tenant != nil { try request.require(session.tenant == request.scope.tenant, .tenantMismatch) }
        guard var user = try request.db.user(session.localID, in: request.scope) else {
            throw APIError.refused(request.settings.mode == .strict ? .userNotFound : .invalidRefreshToken)
        }
        if request.settings.mode == .strict, let validSince = user.validSince, let createdAt = session.createdAt {
            try request.require(createdAt.seconds >= validSince, .tokenExpired)
        }
        try request.require(user.isDisabled != true, .userDisabled)
        let tokens = try request.tokens.issue(to: &user, session.grant, keeping: token)
        try request.db.touch(user, in: request.scope)
        return [
            "id_token": tokens["idToken"] ?? .null,
            "access_token": tokens["idToken"] ?? .null,
            "expires_in": tokens["expiresIn"] ?? .null,
            "refresh_token": tokens["refreshToken"] ?? .null,
            "token_type": "Bearer",
            "user_id": .string(user.localID),
            "project_id": .string(request.settings.projectNumber),
        ]
    }
}
