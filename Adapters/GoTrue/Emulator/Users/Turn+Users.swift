internal import LockstepPrimitives
internal import LockstepSQLite

/// Changes of users: each changes the object and the database together.
extension Turn {
    /// Writes a user; a broken constraint becomes `failure`; older clients get it unchanged.
    func save(_ user: inout User, _ db: inout SQLiteConnection, orSay failure: String = "Database error updating user") throws {
        do {
            try db.save(&user, at: now)
        } catch let error as SQLiteError where error.isDuplicate {
            let isPhone = error.message.contains("users.phone")
            let (name, column) = isPhone ? ("users_phone_key", "phone") : ("users_email_partial_key", "email")
            throw GoTrueError(
                status: 500,
                form: .constraint(
                    GoTrueError.Constraint(
                        message: "duplicate key value violates unique constraint \"\(name)\"",
                        detail: "Key (\(column))=(\(isPhone ? user.phone : user.email)) already exists.")),
                message: failure)
        }
    }

    /// Creates a row for a user who has not signed in yet.
    func create(_ user: User, _ db: inout SQLiteConnection) throws {
        do {
            try db.insert(user)
        } catch let error as SQLiteError where error.isDuplicate {
            throw GoTrueError.failure("Database error saving new user")
        }
    }

    func makeIdentity(
        of user: User, _ provider: String, subject: String? = nil, _ data: JSONObject, _ db: inout SQLiteConnection
    ) throws -> Identity {
        let identity = Identity(
            id: uuid(), userID: user.id, provider: provider, subject: subject ?? user.id, data: data, lastSignInAt: now,
            createdAt: now,
            updatedAt: now)
        try db.insert(identity)
        return identity
    }

    /// `provider` and `providers` of the app metadata, from the user's identities.
    func updateProviders(_ user: inout User, _ db: inout SQLiteConnection) throws {
        var seen: [String] = []
        for identity in try db.identities(of: user.id) where !seen.contains(identity.provider) { seen.append(identity.provider) }
        if let first = seen.first { user.appMetadata["provider"] = .string(first) }
        user.appMetadata["providers"] = .array(seen.map(JSON.string))
        try save(&user, db: &db)
    }

    private func save(_ user: inout User, db: inout SQLiteConnection) throws { try save(&user, &db) }

    /// Marks the address as proven.
    func confirmEmail(_ user: inout User, _ db: inout SQLiteConnection, orSay failure: String = "Error confirm email") throws {
        user.confirmation.hash = ""
        user.emailConfirmedAt = now
        user.mergeUserMetadata(["email_verified": true])
        try save(&user, &db, orSay: failure)
        try db.clearOneTimeTokens(of: user.id)
    }

    /// Marks the number as proven.
    func confirmPhone(_ user: inout User, _ db: inout SQLiteConnection) throws {
        user.confirmation.hash = ""
        user.phoneConfirmedAt = now
        try save(&user, &db)
        try db.clearOneTimeTokens(of: user.id)
    }

    /// Sets a new password: voids all codes and links, and ends the user's sessions except the given one.
    func updatePassword(_ user: inout User, hash: String, keeping sessionID: String?, _ db: inout SQLiteConnection) throws {
        user.passwordHash = hash
        user.confirmation = User.Slot()
        user.recovery = User.Slot()
        user.emailChangeCurrentHash = ""
        user.emailChangeNewHash = ""
        user.emailChangeSentAt = nil
        user.phoneChangeSlot = User.Slot()
        user.reauthentication = User.Slot()
        try save(&user, &db)
        try db.clearOneTimeTokens(of: user.id)
        try db.endSessions(of: user.id, except: sessionID)
    }

    /// A proven address or provider takes an unproven account over: removes the data of its creator.
    func removeUnprovenIdentities(_ user: inout User, but kept: Identity, _ db: inout SQLiteConnection) throws {
        if kept.provider != "email", kept.provider != "phone" { user.passwordHash = nil }
        user.userMetadata = kept.data
        try save(&user, &db)
        for identity in user.identities ?? [] where identity.id != kept.id { try db.deleteIdentity(id: identity.id) }
        try updateProviders(&user, &db)
    }

    /// Reloads a user.
    func reload(_ user: User, _ db: inout SQLiteConnection) throws -> User {
        guard let user = try db.user(id: user.id) else { throw GoTrueError.unhandled }
        return user
    }
}
