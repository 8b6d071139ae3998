internal import LockstepPrimitives
internal import LockstepSQLite

/// `POST /v1/token`: a new ID token for a refresh token, which stays the same.
struct GrantToken: Operation {
    let shape = Shape.grantToken
    let effort = Effort.tokens

    func answer(_ call: Call) throws -> JSON {
        let type = try call.require(call.body.given("grantType"), .missingGrantType)
        try call.require(type == "refresh_token", .invalidGrantType)
        let token = try call.require(call.body.given("refreshToken"), .missingRefreshToken)
        return try call.transaction { db in
            let session = try call.require(try call.backend.session(of: token, &db), .invalidRefreshToken)
            try call.require(session.project == call.space.project, .invalidRefreshToken)
            if call.space.tenant != nil { try call.require(session.tenant == call.space.tenant, .tenantMismatch) }
            guard var user = try db.user(session.localID, in: call.space) else {
                throw APIError.refused(call.settings.mode == .strict ? .userNotFound : .invalidRefreshToken)
            }
            if call.settings.mode == .strict, let validSince = user.validSince, let createdAt = session.createdAt {
                try call.require(createdAt.seconds >= validSince, .tokenExpired)
            }
            try call.require(user.isDisabled != true, .userDisabled)
            let tokens = try call.issue(to: &user, session.grant, keeping: token, &db)
            try db.touch(user, in: call.space)
            return [
                "id_token": tokens["idToken"] ?? .null,
                "access_token": tokens["idToken"] ?? .null,
                "expires_in": tokens["expiresIn"] ?? .null,
                "refresh_token": tokens["refreshToken"] ?? .null,
                "token_type": "Bearer",
                "user_id": .string(user.localID),
                "project_id": .string(call.settings.projectNumber),
            ]
        }
    }
}
