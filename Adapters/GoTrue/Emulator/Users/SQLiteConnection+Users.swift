internal import LockstepPrimitives
internal import LockstepSQLite

/// A text column that holds an object.
struct StoredObject: SQLiteConvertible {
    var object: JSONObject

    var sqliteValue: SQLiteValue { .text(JSON.object(object).text()) }

    init(_ object: JSONObject) { self.object = object }

    init?(_ value: SQLiteValue) {
        guard case .text(let text) = value, let object = (try? JSON.parse(text))?.object else { return nil }
        self.object = object
    }
}

extension SQLiteConnection {
    mutating func user(id: String) throws -> User? { try user("WHERE id = \(id)") }

    /// The user of an address, ignoring case; SSO users have none of their own.
    mutating func user(email: String, audience: String) throws -> User? {
        try user("WHERE email = \(email.lowercased()) AND aud = \(audience) AND is_sso_user = 0")
    }

    mutating func user(phone: String, audience: String) throws -> User? {
        guard !phone.isEmpty else { return nil }
        return try user("WHERE phone = \(phone) AND aud = \(audience)")
    }

    mutating func user(_ condition: SQL) throws -> User? {
        guard var user = try first("SELECT * FROM users " + condition, User.init(row:)) else { return nil }
        user.identities = try identities(of: user.id)
        user.factors = try factors(of: user.id)
        return user
    }

    /// Users without their identities and factors.
    mutating func users(_ condition: SQL) throws -> [User] {
        try all("SELECT * FROM users " + condition, User.init(row:))
    }

    mutating func insert(_ user: User) throws {
        try run(
            "INSERT INTO users (id, aud, role, confirmation_token, recovery_token, email_change, email_change_token_current, email_change_token_new, email_change_confirm_status, phone_change, phone_change_token, reauthentication_token, raw_app_meta_data, raw_user_meta_data, is_anonymous, is_sso_user, created_at, updated_at) VALUES (\(user.id), \(user.audience), \(user.role), '', '', '', '', '', 0, '', '', '', '{}', '{}', 0, 0, \(user.createdAt), \(user.updatedAt))"
        )
        try store(user)
    }

    /// Writes all columns of the user.
    mutating func save(_ user: inout User, at now: Instant) throws {
        user.updatedAt = now
        try store(user)
    }

    private mutating func store(_ user: User) throws {
        let email = user.email.isEmpty ? nil : user.email
        let phone = user.phone.isEmpty ? nil : user.phone
        let slots: SQL =
            """
            confirmation_token = \(user.confirmation.hash), confirmation_sent_at = \(user.confirmation.sentAt.sqliteValue),
            recovery_token = \(user.recovery.hash), recovery_sent_at = \(user.recovery.sentAt.sqliteValue),
            email_change = \(user.emailChange), email_change_token_current = \(user.emailChangeCurrentHash),
            email_change_token_new = \(user.emailChangeNewHash), email_change_sent_at = \(user.emailChangeSentAt.sqliteValue),
            email_change_confirm_status = \(user.emailChangeStatus),
            phone_change = \(user.phoneChange), phone_change_token = \(user.phoneChangeSlot.hash),
            phone_change_sent_at = \(user.phoneChangeSlot.sentAt.sqliteValue),
            reauthentication_token = \(user.reauthentication.hash), reauthentication_sent_at = \(user.reauthentication.sentAt.sqliteValue)
            """
        try run(
            """
            UPDATE users SET aud = \(user.audience), role = \(user.role), email = \(email.sqliteValue), phone = \(phone.sqliteValue),
            encrypted_password = \(user.passwordHash.sqliteValue), email_confirmed_at = \(user.emailConfirmedAt.sqliteValue),
            phone_confirmed_at = \(user.phoneConfirmedAt.sqliteValue), invited_at = \(user.invitedAt.sqliteValue), \(slots),
            last_sign_in_at = \(user.lastSignInAt.sqliteValue), raw_app_meta_data = \(StoredObject(user.appMetadata)),
            raw_user_meta_data = \(StoredObject(user.userMetadata ?? [:])), is_anonymous = \(user.isAnonymous),
            is_sso_user = \(user.isSSO), updated_at = \(user.updatedAt), banned_until = \(user.bannedUntil.sqliteValue),
            deleted_at = \(user.deletedAt.sqliteValue) WHERE id = \(user.id)
            """)
    }

    /// Writes only the time of a sign-in.
    mutating func noteSignIn(_ user: inout User, at now: Instant) throws {
        user.lastSignInAt = now
        user.updatedAt = now
        try run("UPDATE users SET last_sign_in_at = \(now), updated_at = \(now) WHERE id = \(user.id)")
    }

    mutating func deleteUser(id: String) throws {
        try run("DELETE FROM users WHERE id = \(id)")
    }
}

extension User {
    init(row: borrowing SQLiteRow) throws(SQLiteError) {
        self.init(id: try row["id"], audience: try row["aud"], role: try row["role"], at: try row["created_at"])
        updatedAt = try row["updated_at"]
        email = try (row["email"] as String?) ?? ""
        phone = try (row["phone"] as String?) ?? ""
        passwordHash = try row["encrypted_password"]
        emailConfirmedAt = try row["email_confirmed_at"]
        phoneConfirmedAt = try row["phone_confirmed_at"]
        confirmedAt = [emailConfirmedAt, phoneConfirmedAt].compactMap { $0 }.min()
        invitedAt = try row["invited_at"]
        confirmation = Slot(hash: try row["confirmation_token"], sentAt: try row["confirmation_sent_at"])
        recovery = Slot(hash: try row["recovery_token"], sentAt: try row["recovery_sent_at"])
        emailChange = try row["email_change"]
        emailChangeCurrentHash = try row["email_change_token_current"]
        emailChangeNewHash = try row["email_change_token_new"]
        emailChangeSentAt = try row["email_change_sent_at"]
        emailChangeStatus = try row["email_change_confirm_status"]
        phoneChange = try row["phone_change"]
        phoneChangeSlot = Slot(hash: try row["phone_change_token"], sentAt: try row["phone_change_sent_at"])
        reauthentication = Slot(hash: try row["reauthentication_token"], sentAt: try row["reauthentication_sent_at"])
        lastSignInAt = try row["last_sign_in_at"]
        appMetadata = try (row["raw_app_meta_data"] as StoredObject).object
        userMetadata = try (row["raw_user_meta_data"] as StoredObject).object
        isAnonymous = try row["is_anonymous"]
        isSSO = try row["is_sso_user"]
        bannedUntil = try row["banned_until"]
        deletedAt = try row["deleted_at"]
    }
}
