internal import LockstepPrimitives
internal import LockstepSQLite

/// A row of `users`, with the identities and factors that were loaded with it.
///
/// Like the real server's object it is changed together with the database and not read again afterwards: an answer may be
/// older than the stored row, in the same members.
struct User: Sendable {
    /// A code that was sent: the hash of its link, and the time.
    struct Slot: Sendable {
        var hash = ""
        var sentAt: Instant?
    }

    var id: String
    var audience: String
    var role: String
    /// Empty where there is none.
    var email = ""
    /// Without a plus sign; empty where there is none.
    var phone = ""
    var passwordHash: String?
    var emailConfirmedAt: Instant?
    var phoneConfirmedAt: Instant?
    /// Computed by the database: only a loaded user has it.
    var confirmedAt: Instant?
    var invitedAt: Instant?
    var confirmation = Slot()
    var recovery = Slot()
    var emailChange = ""
    var emailChangeCurrentHash = ""
    var emailChangeNewHash = ""
    var emailChangeSentAt: Instant?
    /// The number of confirmed addresses, of two.
    var emailChangeStatus = 0
    var phoneChange = ""
    var phoneChangeSlot = Slot()
    var reauthentication = Slot()
    var lastSignInAt: Instant?
    var appMetadata: JSONObject = [:]
    /// `nil` shows as `null`.
    var userMetadata: JSONObject? = [:]
    var isAnonymous = false
    var isSSO = false
    var createdAt: Instant
    var updatedAt: Instant
    var bannedUntil: Instant?
    var deletedAt: Instant?

    /// `nil` shows as `null`.
    var identities: [Identity]? = []
    var factors: [Factor] = []

    init(id: String, audience: String, role: String, at now: Instant) {
        self.id = id
        self.audience = audience
        self.role = role
        createdAt = now
        updatedAt = now
    }

    /// Deletes every open code, and the changes that wait for one.
    mutating func voidWhatWasSent() {
        confirmation = Slot()
        recovery = Slot()
        emailChange = ""
        emailChangeCurrentHash = ""
        emailChangeNewHash = ""
        emailChangeSentAt = nil
        emailChangeStatus = 0
        phoneChange = ""
        phoneChangeSlot = Slot()
        reauthentication = Slot()
    }

    var isEmailConfirmed: Bool { emailConfirmedAt != nil }
    var isPhoneConfirmed: Bool { phoneConfirmedAt != nil }
    var hasPassword: Bool { passwordHash != nil }
    var hasVerifiedFactor: Bool { factors.contains { $0.isVerified } }

    func isBanned(at now: Instant) -> Bool { bannedUntil.map { now < $0 } ?? false }

    /// Sets `provider` and `providers` of the app metadata; the first one is the provider.
    mutating func setProviders(_ names: [String]) {
        appMetadata["provider"] = names.first.map(JSON.string) ?? appMetadata["provider"]
        appMetadata["providers"] = .array(names.map(JSON.string))
    }

    /// Merges metadata key by key; `null` removes a key.
    static func merge(_ changes: JSONObject, into metadata: inout JSONObject) {
        for (name, value) in changes {
            // A bare `nil` would be JSON's null, not the absence of a member.
            metadata[name] = value.isNull ? JSON?.none : value
        }
    }

    mutating func mergeUserMetadata(_ changes: JSONObject) {
        var metadata = userMetadata ?? [:]
        Self.merge(changes, into: &metadata)
        userMetadata = metadata
    }
}

extension User {
    /// As answers show it: empty fields are left out where the server leaves them out.
    var json: JSONObject {
        var object: JSONObject = [
            "id": .string(id), "aud": .string(audience), "role": .string(role), "email": .string(email),
        ]
        object["email_confirmed_at"] = emailConfirmedAt.map(Timestamp.json)
        object["invited_at"] = invitedAt.map(Timestamp.json)
        object["phone"] = .string(phone)
        object["phone_confirmed_at"] = phoneConfirmedAt.map(Timestamp.json)
        object["confirmation_sent_at"] = confirmation.sentAt.map(Timestamp.json)
        object["confirmed_at"] = confirmedAt.map(Timestamp.json)
        object["recovery_sent_at"] = recovery.sentAt.map(Timestamp.json)
        if !emailChange.isEmpty { object["new_email"] = .string(emailChange) }
        object["email_change_sent_at"] = emailChangeSentAt.map(Timestamp.json)
        if !phoneChange.isEmpty { object["new_phone"] = .string(phoneChange) }
        object["phone_change_sent_at"] = phoneChangeSlot.sentAt.map(Timestamp.json)
        object["reauthentication_sent_at"] = reauthentication.sentAt.map(Timestamp.json)
        object["last_sign_in_at"] = lastSignInAt.map(Timestamp.json)
        object["app_metadata"] = .object(appMetadata.sorted())
        object["user_metadata"] = userMetadata.map { .object($0.sorted()) } ?? .null
        if !factors.isEmpty { object["factors"] = .array(factors.map { .object($0.json) }) }
        object["identities"] = identities.map { .array($0.map { .object($0.json) }) } ?? .null
        object["created_at"] = Timestamp.json(createdAt)
        object["updated_at"] = Timestamp.json(updatedAt)
        object["banned_until"] = bannedUntil.map(Timestamp.json)
        object["deleted_at"] = deletedAt.map(Timestamp.json)
        object["is_anonymous"] = .bool(isAnonymous)
        return object
    }
}

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

    /// A page of users, without their identities and factors, by age.
    ///
    /// - Parameter filter: A part of the address, or of the full name; empty for all.
    /// - Returns: The users of the page, and how many there are on all pages.
    mutating func users(
        of audience: String, matching filter: String, isAscending: Bool, _ page: Page
    ) throws -> (users: [User], count: Int) {
        var condition: SQL = "WHERE aud = \(audience)"
        if !filter.isEmpty {
            condition +=
                " AND (email GLOB \(Self.glob("%\(filter)%")) OR json_extract(raw_user_meta_data, '$.full_name') LIKE \("%\(filter)%") ESCAPE '\\')"
        }
        let count: Int = try value("SELECT count(*) FROM users " + condition) ?? 0
        condition += isAscending ? " ORDER BY created_at, row" : " ORDER BY created_at DESC, row DESC"
        condition += " LIMIT \(page.size) OFFSET \(page.offset)"
        return (try all("SELECT * FROM users " + condition, User.init(row:)), count)
    }

    /// A case-sensitive pattern from a `LIKE` pattern with `%` and `_`.
    private static func glob(_ filter: String) -> String {
        var glob = ""
        var isEscaped = false
        for character in filter {
            switch character {
            case "\\" where !isEscaped:
                isEscaped = true
                continue
            case "%" where !isEscaped: glob += "*"
            case "_" where !isEscaped: glob += "?"
            case "*", "?", "[": glob += "[\(character)]"
            default: glob.append(character)
            }
            isEscaped = false
        }
        return glob
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
