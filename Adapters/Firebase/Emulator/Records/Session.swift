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
