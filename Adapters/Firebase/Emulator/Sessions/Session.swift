internal import LockstepPrimitives
internal import LockstepSQLite

/// The session of a refresh token.
struct Session: Sendable {
    let project: String
    let tenant: String?
    let localID: String
    let grant: Grant
    /// `nil` where the token does not contain it, as that of Firebase's emulator.
    let createdAt: Instant?
}

extension Session {
    /// The session of a refresh token; `nil` where it is unknown.
    static func find(_ token: String, _ context: RequestContext) throws -> Session? {
        switch context.settings.mode {
        case .emulator: OpenToken.session(ofRefresh: token)
        case .strict: try context.db.session(token)
        }
    }
}

extension SQLiteConnection {
    /// Keeps a session under its refresh token.
    mutating func insertSession(
        _ token: String, of user: User, grant: Grant, authTime: Int64, at now: Instant, in scope: ProjectScope
    )
        throws
    {
        try run(
            """
            INSERT INTO sessions (token, space, local_id, provider, claims, factor_id, factor_kind, auth_time, created_at)
            VALUES (\(token), \(scope.id), \(user.localID), \(grant.provider), \(JSON.object(grant.claims).text()),
                \((grant.secondFactor?.id).sqliteValue), \((grant.secondFactor?.kind).sqliteValue), \(authTime), \(now))
            """)
    }

    /// Deletes the sessions of an id's former user: they outlive that user only to answer with the right error.
    mutating func forgetSessions(ofFormer localID: String, in scope: ProjectScope) throws {
        try run("DELETE FROM sessions WHERE space = \(scope.id) AND local_id = \(localID)")
    }

    mutating func session(_ token: String) throws -> Session? {
        try first(
            """
            SELECT project, tenant, local_id, provider, claims, factor_id, factor_kind, auth_time, created_at
            FROM sessions JOIN spaces ON spaces.id = sessions.space WHERE token = \(token)
            """
        ) { row throws(SQLiteError) in
            let tenant: String = try row[1]
            let claims: String = try row[4]
            let factorID: String? = try row[5]
            let factorKind: String? = try row[6]
            let factor: Grant.SecondFactor? =
                if let factorID, let factorKind { Grant.SecondFactor(id: factorID, kind: factorKind) } else { nil }
            return Session(
                project: try row[0], tenant: tenant.isEmpty ? nil : tenant, localID: try row[2],
                grant: Grant(
                    provider: try row[3], claims: (try? JSON.parse(claims))?.object ?? [:], secondFactor: factor,
                    authTime: try row[7]),
                createdAt: try row[8])
        }
    }
}

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

/// `projects.createSessionCookie`: an ID token's claims under another issuer, for up to two weeks.
struct CreateSessionCookie: Endpoint {
    let shape = Shape.createSessionCookie
    let isReading = true

    private static let lifetimes: ClosedRange<Int64> = 300...1_209_600

    func answer(_ request: AuthorizedRequest) throws -> JSON {
        let token = try request.require(request.body.given("idToken"), .missingIDToken)
        let asked = request.body.text("validDuration").flatMap { Double($0) }.flatMap { Int64(exactly: $0.rounded(.down)) } ?? 0
        let lifetime = asked == 0 ? Self.lifetimes.upperBound : asked
        try request.require(Self.lifetimes.contains(lifetime), .invalidDuration)
        var claims = try request.tokens.holder(of: token).claims
        claims["iat"] = .int(request.now.seconds)
        claims["exp"] = .int(request.now.seconds + lifetime)
        claims["iss"] = .string("https://session.firebase.google.com/\(claims["aud"]?.string ?? request.scope.project)")
        return ["sessionCookie": .string(try request.tokens.sign(claims))]
    }
}
