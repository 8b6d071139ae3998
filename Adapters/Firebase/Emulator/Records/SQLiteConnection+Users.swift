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

    /// The identities of a provider with the users that have them, the last that signed in first.
    mutating func identities(of provider: String, limit: Int, in scope: ProjectScope) throws -> [(user: User, identity: Identity)]
    {
        let found: [(localID: String, rawID: String)] = try all(
            """
            SELECT identities.local_id, raw_id FROM identities
            JOIN users ON users.space = identities.space AND users.local_id = identities.local_id
            WHERE identities.space = \(scope.id) AND provider = \(provider)
            ORDER BY last_login_at DESC, identities.local_id, raw_id LIMIT \(limit)
            """
        ) { row throws(SQLiteError) in (try row[0], try row[1]) }
        return try found.compactMap { found in
            guard let user = try user(found.localID, in: scope) else { return nil }
            return user.identities?.first { $0.providerID == provider && $0.rawID == found.rawID }.map { (user, $0) }
        }
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

extension User {
    /// Reads a row of the columns in their order.
    init(_ row: borrowing SQLiteRow, of scope: ProjectScope) throws(SQLiteError) {
        self.init(localID: try row[0])
        email = try row[1]
        emailVerified = try row[2]
        displayName = try row[3]
        photoURL = try row[4]
        phoneNumber = try row[5]
        isDisabled = try row[6]
        if let hash: String = try row[7] { password = StoredPassword(hash: hash, salt: try row[8], scheme: try row[9]) }
        passwordUpdatedAt = try row[10]
        validSince = try row[11]
        lastLoginAt = try row[12]
        createdAt = try row[13]
        lastRefreshAt = try row[14]
        isCustomAuth = try row[15]
        customAttributes = try row[16]
        signsInByLink = try row[17]
        initialEmail = try row[18]
        screenName = try row[19]
        identities = Self.list(try row[20]) { Identity($0) }
        factors = Self.list(try row[21]) { body in
            body.text("id").map { id in
                Factor(
                    id: id, displayName: body.text("name"), enrolledAt: body.text("at"), phone: body.text("phone"),
                    secret: body.text("secret"))
            }
        }
        passkeys = Self.list(try row[22]) { body in
            body.text("credentialId").map {
                Passkey(credentialID: $0, name: body.text("name") ?? "", credential: body.nested("credential")?.members)
            }
        }
        tenantID = scope.tenant
    }

    /// The values of the columns in their order.
    var values: [SQLiteValue] {
        [
            localID.sqliteValue, email.sqliteValue, emailVerified.sqliteValue, displayName.sqliteValue, photoURL.sqliteValue,
            phoneNumber.sqliteValue, isDisabled.sqliteValue, (password?.hash).sqliteValue, (password?.salt).sqliteValue,
            (password?.scheme).sqliteValue, passwordUpdatedAt.sqliteValue, validSince.sqliteValue, lastLoginAt.sqliteValue,
            createdAt.sqliteValue, lastRefreshAt.sqliteValue, isCustomAuth.sqliteValue, customAttributes.sqliteValue,
            signsInByLink.sqliteValue, initialEmail.sqliteValue, screenName.sqliteValue,
            Self.text(identities?.map(\.json)).sqliteValue, Self.text(factors?.map(\.stored)).sqliteValue,
            Self.text(passkeys?.map(\.stored)).sqliteValue,
        ]
    }

    private static func text(_ list: [JSON]?) -> String? { list.map { JSON.array($0).text() } }

    private static func list<Element>(_ text: String?, _ element: (Body) -> Element?) -> [Element]? {
        guard let text, let list = try? JSON.parse(text).array else { return nil }
        return list.compactMap { $0.object.map(Body.init).flatMap(element) }
    }
}

extension Factor {
    /// Its form in the row of its user.
    fileprivate var stored: JSON {
        var members: JSONObject = ["id": .string(id)]
        members["name"] = displayName.map(JSON.string)
        members["at"] = enrolledAt.map(JSON.string)
        members["phone"] = phone.map(JSON.string)
        members["secret"] = secret.map(JSON.string)
        return .object(members)
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
