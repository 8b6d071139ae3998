internal import LockstepPrimitives
internal import LockstepSQLite

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

    /// Keeps a sign-in that waits for its second factor.
    mutating func insertPending(_ credential: String, of user: User, provider: String, at now: Instant, in scope: ProjectScope)
        throws
    {
        try run(
            """
            INSERT INTO pending_sign_ins (credential, space, local_id, provider, created_at)
            VALUES (\(credential), \(scope.id), \(user.localID), \(provider), \(now))
            """)
    }

    mutating func pending(_ credential: String, in scope: ProjectScope) throws -> (
        localID: String, provider: String, createdAt: Instant
    )? {
        try first(
            """
            SELECT local_id, provider, created_at FROM pending_sign_ins
            WHERE space = \(scope.id) AND credential = \(credential)
            """
        ) { row throws(SQLiteError) in (localID: try row[0], provider: try row[1], createdAt: try row[2]) }
    }

    mutating func removePending(_ credential: String) throws {
        try run("DELETE FROM pending_sign_ins WHERE credential = \(credential)")
    }

    /// Keeps the secret of a factor by time-based codes until its first code comes.
    mutating func insertTimeFactor(_ session: String, secret: String, of user: User, at now: Instant, in scope: ProjectScope)
        throws
    {
        try run(
            """
            INSERT INTO totp_enrolments (session, space, local_id, secret, created_at)
            VALUES (\(session), \(scope.id), \(user.localID), \(secret), \(now))
            """)
    }

    mutating func timeFactorSecret(_ session: String, of user: User, in scope: ProjectScope) throws -> String? {
        try value(
            """
            SELECT secret FROM totp_enrolments
            WHERE session = \(session) AND space = \(scope.id) AND local_id = \(user.localID)
            """)
    }

    mutating func removeTimeFactor(_ session: String) throws {
        try run("DELETE FROM totp_enrolments WHERE session = \(session)")
    }
}

extension SQLiteConnection {
    /// The end of an account's lock; `nil` where it is not locked.
    mutating func lock(of user: User, in scope: ProjectScope) throws -> Instant? {
        let until: Instant?? = try value(
            "SELECT locked_until FROM failed_sign_ins WHERE space = \(scope.id) AND local_id = \(user.localID)")
        return until ?? nil
    }

    /// Counts a wrong password, and locks the account for `lockout` with the last one that `limit` allows.
    mutating func countFailure(of user: User, limits: Limits, at now: Instant, in scope: ProjectScope) throws {
        guard let limit = limits.failedSignIns else { return }
        try run(
            """
            INSERT INTO failed_sign_ins (space, local_id, count) VALUES (\(scope.id), \(user.localID), 1)
            ON CONFLICT (space, local_id) DO UPDATE SET count = count + 1
            """)
        try run(
            """
            UPDATE failed_sign_ins SET locked_until = \(now + limits.lockout), count = 0
            WHERE space = \(scope.id) AND local_id = \(user.localID) AND count >= \(limit)
            """)
    }

    mutating func forgetFailures(of user: User, in scope: ProjectScope) throws {
        try run("DELETE FROM failed_sign_ins WHERE space = \(scope.id) AND local_id = \(user.localID)")
    }
}
