internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// The users of the request's project or tenant.
struct UserRepository {
    let context: RequestContext

    private var space: Int64 { context.scope.id }

    func find(_ localID: String) throws -> User? { try first("local_id = \(localID)") }

    func find(email: String) throws -> User? { try first("email = \(email)") }

    func find(phoneNumber: String) throws -> User? { try first("phone_number = \(phoneNumber)") }

    func find(initialEmail: String) throws -> User? { try first("initial_email = \(initialEmail)") }

    func find(provider: String, rawID: String) throws -> User? {
        let entry = try context.db.find(
            IdentityEntry.self, "space = \(space) AND provider = \(provider) AND raw_id = \(rawID)")
        return try entry.flatMap { try find($0.localID) }
    }

    func find(passkey credential: String) throws -> User? {
        let entry = try context.db.find(PasskeyEntry.self, "space = \(space) AND credential = \(credential)")
        return try entry.flatMap { try find($0.localID) }
    }

    /// Returns the users with this address, then those with an identity that has it.
    func all(emailAnywhere email: String) throws -> [User] {
        var found: [User] = []
        if let user = try find(email: email) { found.append(user) }
        for entry in try context.db.all(IdentityEntry.self, "space = \(space) AND email = \(email) ORDER BY local_id")
        where !found.contains(where: { $0.localID.exact == entry.localID.exact }) {
            if let user = try find(entry.localID) { found.append(user) }
        }
        return found
    }

    /// Returns the identities of a provider with their users, the last sign-in first.
    func identities(of provider: String, limit: Int) throws -> [(user: User, identity: Identity)] {
        let found: [(localID: String, rawID: String)] = try context.db.all(
            """
            SELECT identities.local_id, raw_id FROM identities
            JOIN users ON users.space = identities.space AND users.local_id = identities.local_id
            WHERE identities.space = \(space) AND provider = \(provider)
            ORDER BY last_login_at DESC, identities.local_id, raw_id LIMIT \(limit)
            """
        ) { row throws(SQLiteError) in (try row[0], try row[1]) }
        return try found.compactMap { found in
            guard let user = try find(found.localID) else { return nil }
            return user.identities?.first { $0.providerID.exact == provider.exact && $0.rawID.exact == found.rawID.exact }.map {
                (user, $0)
            }
        }
    }

    /// Returns a page of a list of users.
    func all(_ listing: UserListing) throws -> [User] {
        let key: SQL =
            switch listing.order {
            case .created: "number"
            case .address: "lower(coalesce(email, phone_number, local_id))"
            case .signedIn: "last_login_at"
            }
        return try context.db.all(User.self, condition(listing) + listing.ending(key, "number")).map(own)
    }

    /// Returns the number of users on all pages of a list.
    func count(_ listing: UserListing) throws -> Int { try context.db.count(User.self, condition(listing)) }

    private func condition(_ listing: UserListing) -> SQL {
        var condition: SQL = "space = \(space)"
        if let query = listing.query {
            condition += " AND \(SQL.contains(query, in: "local_id", "email", "phone_number", "display_name"))"
        }
        if let after = listing.after {
            let last: SQL = "(SELECT number FROM users WHERE space = \(space) AND local_id = \(after))"
            condition += " AND number > coalesce(\(last), 0)"
        }
        switch listing.state {
        case .verified: condition += " AND email IS NOT NULL AND email_verified"
        case .unverified: condition += " AND email IS NOT NULL AND NOT coalesce(email_verified, 0)"
        // As in ``User/isAnonymous``.
        case .anonymous:
            condition +=
                " AND email IS NULL AND phone_number IS NULL AND password_hash IS NULL AND coalesce(identities, '[]') = '[]' AND NOT custom_auth"
        case .disabled: condition += " AND disabled"
        case .secondFactor: condition += " AND coalesce(factors, '[]') != '[]'"
        case nil: break
        }
        switch listing.method {
        case "password": condition += " AND password_hash IS NOT NULL"
        case "phone": condition += " AND phone_number IS NOT NULL"
        case let name?: condition += " AND \(SQL.contains(name, in: "identities"))"
        case nil: break
        }
        return condition
    }

    /// Returns users in the order of their ids.
    func all(after localID: String = "", limit: Int = -1, offset: Int = 0, isDescending: Bool = false) throws -> [User] {
        let order: SQL = isDescending ? "local_id DESC" : "local_id"
        return try context.db.all(
            User.self, "space = \(space) AND local_id > \(localID) ORDER BY \(order) LIMIT \(limit) OFFSET \(offset)"
        ).map(own)
    }

    func count() throws -> Int { try context.db.count(User.self, "space = \(space)") }

    func count(createdSince instant: Instant) throws -> Int {
        try context.db.count(User.self, "space = \(space) AND created_at > \(instant)")
    }

    private func first(_ condition: SQL) throws -> User? {
        try context.db.find(User.self, "space = \(space) AND \(condition)").map(own)
    }

    private func own(_ user: User) -> User {
        var user = user
        user.tenantID = context.scope.tenant
        return user
    }
}

extension UserRepository {
    func insert(_ user: User) throws {
        var user = user
        user.space = space
        user.number = try context.db.value("SELECT coalesce(max(number), 0) + 1 FROM users WHERE space = \(space)")
        try context.db.insert(user)
        try index(user)
    }

    /// Updates all columns of an existing user.
    ///
    /// - `identitiesChanged`: Whether providers or passkeys may differ from the stored ones.
    func update(_ user: User, identitiesChanged: Bool = true) throws {
        var user = user
        user.space = space
        if user.number == nil { user.number = try find(user.localID)?.number }
        try context.db.update(user)
        guard identitiesChanged else { return }
        try context.db.delete(IdentityEntry.self, of(user))
        try context.db.delete(PasskeyEntry.self, of(user))
        try index(user)
    }

    /// Writes only the times of a user's last sign-in and last tokens.
    func touch(_ user: User) throws {
        try context.db.run(
            """
            UPDATE users SET last_login_at = \(user.lastLoginAt.sqliteValue), last_refresh_at = \(user.lastRefreshAt.sqliteValue)
            WHERE \(of(user))
            """)
    }

    func delete(_ user: User) throws {
        try context.db.delete(User.self, of(user))
        try context.db.delete(FailedSignIns.self, of(user))
    }

    func deleteAll() throws {
        try context.db.delete(User.self, "space = \(space)")
        try context.db.delete(FailedSignIns.self, "space = \(space)")
    }

    /// Deletes the sessions of an id's former user.
    func forgetSessions(ofFormer localID: String) throws {
        try context.db.delete(SessionRow.self, "space = \(space) AND local_id = \(localID)")
    }

    private func of(_ user: User) -> SQL { "space = \(space) AND local_id = \(user.localID)" }

    private func index(_ user: User) throws {
        for identity in user.identities ?? [] {
            // Linking with an update accepts any identity without verification, and the newest link is used.
            try context.db.save(
                IdentityEntry(
                    space: space, provider: identity.providerID, rawID: identity.rawID, localID: user.localID,
                    email: identity.email))
        }
        for passkey in user.passkeys ?? [] {
            try context.db.insert(PasskeyEntry(space: space, credential: passkey.credentialID, localID: user.localID))
        }
    }
}

extension UserRepository {
    /// Returns the end of an account's lock; `nil` if it is not locked.
    func lock(of user: User) throws -> Instant? { try context.db.find(FailedSignIns.self, of(user))?.lockedUntil }

    /// Counts a wrong password, and locks the account after the last failure that the limit allows.
    func countFailure(of user: User) throws {
        let limits = context.settings.limits
        guard let limit = limits.failedSignIns else { return }
        var failed =
            try context.db.find(FailedSignIns.self, of(user)) ?? FailedSignIns(space: space, localID: user.localID)
        failed.count += 1
        if failed.count >= limit { (failed.count, failed.lockedUntil) = (0, context.now + limits.lockout) }
        try context.db.save(failed)
    }

    func forgetFailures(of user: User) throws { try context.db.delete(FailedSignIns.self, of(user)) }
}
