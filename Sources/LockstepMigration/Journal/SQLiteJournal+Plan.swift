internal import LockstepSQLite

/// A plan is written row by row, and sorted once at the end by SQLite, on disk.
extension SQLiteJournal {
    /// Records users who are on the target before the run.
    ///
    /// - Parameter users: The users.
    /// - Throws: `journal` if the users cannot be written.
    public func note(_ users: [TargetUser]) throws(MigrationError) {
        try write { connection in
            for user in users {
                try connection.run("INSERT INTO target_users VALUES (\(user.id), \(user.externalID.sqliteValue), \(user.digest))")
                for claim in user.claims { try connection.add(claim, of: 0) }
            }
        }
    }

    /// Records users of the source, with the plan for creating them on the target.
    ///
    /// - Parameter users: The users, in the order of the source.
    /// - Throws: `journal` if the users cannot be written.
    public func plan(_ users: [PlannedUser]) throws(MigrationError) {
        try write { connection in
            // A user who is there already is carried over without a request.
            let mayBeThere = try connection.exists("SELECT 1 FROM target_users")
            for user in users {
                try connection.run(
                    """
                    INSERT INTO users (source, target, state, reason, digest, shape)
                    VALUES (\(user.sourceID), \(user.targetID.sqliteValue), \(user.state.rawValue), \((user.reason?.rawValue).sqliteValue),
                        \(user.digest), \(user.shape))
                    """)
                guard user.state == .planned else { continue }
                let number = Int(connection.lastInsertedRow)
                for claim in user.claims { try connection.add(claim, of: number) }
                if mayBeThere, let carried = user.carried { try connection.carry(carried, of: number) }
            }
        }
    }

    /// Returns the number of users of the target who have an external id that is not the id of a user of the source.
    ///
    /// - Throws: `journal` if the users cannot be read.
    public func foreignExternalIDs() throws(MigrationError) -> Int {
        try read { connection in
            try connection.value(
                """
                SELECT count(DISTINCT id) FROM target_users
                WHERE external IS NOT NULL AND external NOT IN (SELECT source FROM users)
                """) ?? 0
        }
    }

    /// Compares all users of the source with each other and with the users of the target.
    ///
    /// - Returns: The number of users for each combination of properties and planned treatment.
    /// - Throws: `count`, `collision`, `journal`.
    public func settlePlan() throws(MigrationError) -> [PlanCount] {
        try write { connection in
            try connection.indexUsers()
            try connection.settleIDs()
            try connection.settleClaims()
            try connection.run(
                "DELETE FROM carried WHERE number NOT IN (SELECT number FROM users WHERE state = \(UserState.adopted.rawValue))")
            try connection.run("DELETE FROM claims")
            try connection.run("DELETE FROM target_users")
            return try connection.all("SELECT shape, state, reason, count(*) FROM users GROUP BY shape, state, reason") {
                row throws(SQLiteError) in
                let (state, reason): (String, String?) = (try row[1], try row[2])
                return PlanCount(
                    shape: try row[0], state: UserState(rawValue: state) ?? .unknown, reason: reason.flatMap(UserReason.init),
                    users: try row[3])
            }
        }
    }
}

extension SQLiteConnection {
    fileprivate mutating func add(_ claim: Claim, of owner: Int) throws(SQLiteError) {
        try run("INSERT INTO claims VALUES (\(claim.kind.rawValue), \(claim.digest), \(owner))")
    }

    /// Creates the indexes of the users, which find duplicate ids.
    fileprivate mutating func indexUsers() throws {
        do {
            try script(JournalSchema.indexes)
        } catch {
            if let id: String = try value("SELECT source FROM users GROUP BY source HAVING count(*) > 1 LIMIT 1") {
                throw MigrationError(
                    .count,
                    "The source returned the user \"\(id)\" twice. Look for a cache or proxy that repeats pages, and plan again.")
            }
            if let id: String = try value("SELECT target FROM users GROUP BY target HAVING count(*) > 1 LIMIT 1") {
                throw MigrationError(
                    .collision, "Two users of the source get the id \"\(id)\" on the target. Nothing was written there.")
            }
            throw error
        }
    }

    /// Handles users whose id exists on the target: the same user, or another user.
    ///
    /// If the target makes the ids, a user of the target has the source's id as the external id.
    fileprivate mutating func settleIDs() throws {
        guard try exists("SELECT 1 FROM target_users") else { return }
        let isAssigned = try exists("SELECT 1 FROM users WHERE target IS NULL")
        let (own, key): (SQL, SQL) = isAssigned ? ("source", "external") : ("target", "id")
        try run("CREATE INDEX target_users_by_key ON target_users (\(key))")
        func found(_ column: SQL) -> SQL { "(SELECT t.\(column) FROM target_users t WHERE t.\(key) = users.\(own))" }
        let equal: SQL = "digest = \(found("digest"))"
        try run(
            """
            UPDATE users SET state = iif(\(equal), \(UserState.adopted.rawValue), \(UserState.refused.rawValue)),
                reason = iif(\(equal), NULL, \(UserReason.idTaken.rawValue)), target = iif(\(equal), \(found("id")), target)
            WHERE state = \(UserState.planned.rawValue) AND \(own) IN (SELECT \(key) FROM target_users)
            """)
        try run("DROP INDEX target_users_by_key")
    }

    /// Settles values that several users have: a user of the target keeps the value, or the first user of the source who is
    /// created.
    fileprivate mutating func settleClaims() throws {
        try run(
            """
            CREATE TABLE contested (
                kind INTEGER NOT NULL, digest BLOB NOT NULL, owner INTEGER, PRIMARY KEY (kind, digest)) STRICT, WITHOUT ROWID
            """)
        try run("INSERT INTO contested SELECT kind, digest, NULL FROM claims GROUP BY kind, digest HAVING count(*) > 1")
        if try exists("SELECT 1 FROM contested") {
            // In this order of tables, so that the claims are read once.
            try run(
                """
                CREATE TABLE contest AS SELECT c.owner AS owner, c.kind AS kind, c.digest AS digest FROM claims c
                CROSS JOIN contested t ON t.kind = c.kind AND t.digest = c.digest ORDER BY c.owner, c.kind
                """)
            try run(
                """
                UPDATE contested SET owner = 0 WHERE (kind, digest) IN (SELECT kind, digest FROM contest WHERE owner = 0)
                """)
            try settleContest()
            try run("DROP TABLE contest")
        }
        try run("DROP TABLE contested")
    }

    /// Assigns each contested value, in the order of the users.
    private mutating func settleContest() throws {
        var last = Int64(0)
        var user: (number: Int, claims: [Claim])?
        while true {
            let next: SQL = "rowid > \(last) AND owner > 0 ORDER BY rowid LIMIT 1000"
            let rows = try all("SELECT rowid, owner, kind, digest FROM contest WHERE \(next)") {
                row throws(SQLiteError) -> (row: Int64, owner: Int, claim: Claim) in
                (try row[0], try row[1], Claim(kind: Claim.Kind(rawValue: try row[2]) ?? .address, digest: try row[3]))
            }
            for (row, owner, claim) in rows {
                last = row
                if let former = user, former.number != owner {
                    try settle(former.number, former.claims)
                    user = nil
                }
                user = (owner, (user?.claims ?? []) + [claim])
            }
            guard rows.isEmpty else { continue }
            if let user { try settle(user.number, user.claims) }
            return
        }
    }

    /// Assigns the values to a user, or rejects the user.
    ///
    /// A rejected user does not block values for others.
    private mutating func settle(_ number: Int, _ claims: [Claim]) throws {
        guard try exists("SELECT 1 FROM users WHERE number = \(number) AND state = \(UserState.planned.rawValue)") else { return }
        for claim in claims {
            let owner: Int? = try value(
                """
                SELECT owner FROM contested
                WHERE kind = \(claim.kind.rawValue) AND digest = \(claim.digest) AND owner IS NOT NULL
                """)
            guard let owner, owner != number else { continue }
            try run(
                """
                UPDATE users SET state = \(UserState.refused.rawValue), reason = \(claim.reason(isTaken: owner == 0).rawValue),
                    other = \(owner) WHERE number = \(number)
                """)
            return
        }
        for claim in claims {
            try run("UPDATE contested SET owner = \(number) WHERE kind = \(claim.kind.rawValue) AND digest = \(claim.digest)")
        }
    }
}

extension Claim {
    /// The reason to reject the second user with a value.
    fileprivate func reason(isTaken: Bool) -> UserReason {
        switch kind {
        case .address: isTaken ? .addressTaken : .addressTwice
        case .number: isTaken ? .numberTaken : .numberTwice
        case .identity: isTaken ? .identityTaken : .identityTwice
        case .username: isTaken ? .usernameTaken : .usernameTwice
        }
    }
}
