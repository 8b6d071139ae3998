internal import LockstepPrimitives
internal import LockstepSQLite

extension SQLiteConnection {
    private static let columns: SQL = """
        local_id, email, email_verified, display_name, photo_url, phone_number, disabled, password_hash, password_salt, \
        password_scheme, password_updated_at, valid_since, last_login_at, created_at, last_refresh_at, custom_auth, \
        custom_attributes, signs_in_by_link, initial_email, screen_name, identities, factors, passkeys
        """

    mutating func user(_ localID: String, in scope: ProjectScope) throws -> User? {
        try user(where: "local_id = \(localID)", in: scope)
    }

    mutating func user(email: String, in scope: ProjectScope) throws -> User? {
        try user(where: "email = \(email)", in: scope)
    }

    mutating func user(phoneNumber: String, in scope: ProjectScope) throws -> User? {
        try user(where: "phone_number = \(phoneNumber)", in: scope)
    }

    mutating func user(initialEmail: String, in scope: ProjectScope) throws -> User? {
        try user(where: "initial_email = \(initialEmail)", in: scope)
    }

    mutating func user(provider: String, rawID: String, in scope: ProjectScope) throws -> User? {
        let localID: String? = try value(
            "SELECT local_id FROM identities WHERE space = \(scope.id) AND provider = \(provider) AND raw_id = \(rawID)")
        return try localID.flatMap { try user($0, in: scope) }
    }

    mutating func user(passkey credential: String, in scope: ProjectScope) throws -> User? {
        let localID: String? = try value(
            "SELECT local_id FROM passkeys WHERE space = \(scope.id) AND credential = \(credential)")
        return try localID.flatMap { try user($0, in: scope) }
    }

    /// The users with this address, then those with an identity that has it.
    mutating func users(emailAnywhere email: String, in scope: ProjectScope) throws -> [User] {
        var found: [User] = []
        if let user = try user(email: email, in: scope) { found.append(user) }
        let others: [String] = try all(
            "SELECT DISTINCT local_id FROM identities WHERE space = \(scope.id) AND email = \(email) ORDER BY local_id"
        ) { row throws(SQLiteError) in try row[0] }
        for localID in others where !found.contains(where: { $0.localID == localID }) {
            if let user = try user(localID, in: scope) { found.append(user) }
        }
        return found
    }

    /// Users in the order of their ids.
    mutating func users(
        after localID: String = "", limit: Int = -1, offset: Int = 0, isDescending: Bool = false, in scope: ProjectScope
    ) throws -> [User] {
        var statement: SQL = "SELECT \(Self.columns) FROM users WHERE space = \(scope.id) AND local_id > \(localID)"
        statement += isDescending ? " ORDER BY local_id DESC" : " ORDER BY local_id"
        statement += " LIMIT \(limit) OFFSET \(offset)"
        return try all(statement) { row throws(SQLiteError) in try User(row, of: scope) }
    }

    mutating func userCount(in scope: ProjectScope) throws -> Int {
        try value("SELECT count(*) FROM users WHERE space = \(scope.id)") ?? 0
    }

    mutating func userCount(createdSince instant: Instant, in scope: ProjectScope) throws -> Int {
        try value("SELECT count(*) FROM users WHERE space = \(scope.id) AND created_at > \(instant)") ?? 0
    }

    private mutating func user(where condition: SQL, in scope: ProjectScope) throws -> User? {
        try first("SELECT \(Self.columns) FROM users WHERE space = \(scope.id) AND \(condition)") { row throws(SQLiteError) in
            try User(row, of: scope)
        }
    }
}

extension SQLiteConnection {
    mutating func insert(_ user: User, in scope: ProjectScope) throws {
        try run("INSERT INTO users (space, \(Self.columns)) VALUES (\(scope.id), \(list: user.values))")
        try index(user, in: scope)
    }

    /// Updates all columns of an existing user.
    ///
    /// - Parameter identitiesChanged: whether providers or passkeys may differ from what is stored.
    mutating func update(_ user: User, identitiesChanged: Bool = true, in scope: ProjectScope) throws {
        try run(
            "UPDATE users SET (\(Self.columns)) = (\(list: user.values)) WHERE space = \(scope.id) AND local_id = \(user.localID)"
        )
        guard identitiesChanged else { return }
        try run("DELETE FROM identities WHERE space = \(scope.id) AND local_id = \(user.localID)")
        try run("DELETE FROM passkeys WHERE space = \(scope.id) AND local_id = \(user.localID)")
        try index(user, in: scope)
    }

    /// Writes only the times of a user's last sign-in and last tokens.
    mutating func touch(_ user: User, in scope: ProjectScope) throws {
        try run(
            """
            UPDATE users SET last_login_at = \(user.lastLoginAt.sqliteValue), last_refresh_at = \(user.lastRefreshAt.sqliteValue)
            WHERE space = \(scope.id) AND local_id = \(user.localID)
            """)
    }

    mutating func delete(_ user: User, in scope: ProjectScope) throws {
        try run("DELETE FROM users WHERE space = \(scope.id) AND local_id = \(user.localID)")
        try run("DELETE FROM failed_sign_ins WHERE space = \(scope.id) AND local_id = \(user.localID)")
    }

    mutating func deleteAllUsers(in scope: ProjectScope) throws {
        try run("DELETE FROM users WHERE space = \(scope.id)")
        try run("DELETE FROM failed_sign_ins WHERE space = \(scope.id)")
    }

    private mutating func index(_ user: User, in scope: ProjectScope) throws {
        for identity in user.identities ?? [] {
            // Linking by update takes any identity without proof, and the newest link counts.
            try run(
                """
                INSERT INTO identities (space, provider, raw_id, local_id, email)
                VALUES (\(scope.id), \(identity.providerID), \(identity.rawID), \(user.localID), \(identity.email.sqliteValue))
                ON CONFLICT (space, provider, raw_id) DO UPDATE SET local_id = excluded.local_id, email = excluded.email
                """)
        }
        for passkey in user.passkeys ?? [] {
            try run(
                """
                INSERT INTO passkeys (space, credential, local_id) VALUES (\(scope.id), \(passkey.credentialID), \(user.localID))
                """)
        }
    }
}
