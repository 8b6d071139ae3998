internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// A row of `users`, with the identities and factors that were loaded with it.
///
/// Like the real server's object, it is changed together with the database and not read again afterwards. So some
/// members of a response may be older than the stored row.
struct User: Record {
    /// A code that was sent: the hash of its link, and the time.
    struct Slot: Sendable {
        var hash = ""
        var sentAt: Instant?
    }

    var id = ""
    var audience = ""
    var role = ""
    /// The email address; empty if the user has none.
    var email = ""
    /// The phone number without a plus sign; empty if the user has none.
    var phone = ""
    var passwordHash: String?
    var emailConfirmedAt: Instant?
    var phoneConfirmedAt: Instant?
    /// The database computes this value, so only a loaded user has it.
    var confirmedAt: Instant?
    var invitedAt: Instant?
    var confirmation = Slot()
    var recovery = Slot()
    var emailChange = ""
    var emailChangeCurrentHash = ""
    var emailChangeNewHash = ""
    var emailChangeSentAt: Instant?
    /// The number of confirmed addresses, out of two.
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
    var createdAt = Instant.distantPast
    var updatedAt = Instant.distantPast
    var bannedUntil: Instant?
    var deletedAt: Instant?

    /// `nil` shows as `null`.
    var identities: [Identity]? = []
    var factors: [Factor] = []

    static let table = Table<User>(
        "users",
        [
            Column("id", \.id, .unique), Column("aud", \.audience), Column("role", \.role), Column("email", emptyAsNull: \.email),
            Column("phone", emptyAsNull: \.phone), Column("encrypted_password", \.passwordHash),
            Column("email_confirmed_at", \.emailConfirmedAt), Column("phone_confirmed_at", \.phoneConfirmedAt),
            Column("invited_at", \.invitedAt), Column("confirmation_token", \.confirmation.hash),
            Column("confirmation_sent_at", \.confirmation.sentAt), Column("recovery_token", \.recovery.hash),
            Column("recovery_sent_at", \.recovery.sentAt), Column("email_change", \.emailChange),
            Column("email_change_token_current", \.emailChangeCurrentHash),
            Column("email_change_token_new", \.emailChangeNewHash), Column("email_change_sent_at", \.emailChangeSentAt),
            Column("email_change_confirm_status", \.emailChangeStatus), Column("phone_change", \.phoneChange),
            Column("phone_change_token", \.phoneChangeSlot.hash), Column("phone_change_sent_at", \.phoneChangeSlot.sentAt),
            Column("reauthentication_token", \.reauthentication.hash),
            Column("reauthentication_sent_at", \.reauthentication.sentAt), Column("last_sign_in_at", \.lastSignInAt),
            Column("raw_app_meta_data", \.appMetadata), Column("raw_user_meta_data", \.storedMetadata),
            Column("is_anonymous", \.isAnonymous), Column("is_sso_user", \.isSSO), Column("created_at", \.createdAt),
            Column("updated_at", \.updatedAt), Column("banned_until", \.bannedUntil), Column("deleted_at", \.deletedAt),
        ], numbered: "row",
        indexes: [
            Index("users_email_partial_key", on: "email", isUnique: true, where: "is_sso_user = 0 AND email IS NOT NULL"),
            Index("users_phone_key", on: "phone", isUnique: true, where: "phone IS NOT NULL"),
            Index("users_created", on: "created_at, row"),
        ])

    private var storedMetadata: JSONObject {
        get { userMetadata ?? [:] }
        set { userMetadata = newValue }
    }

    /// Returns the loaded row with the values that the database computes.
    var confirmed: User {
        var user = self
        user.confirmedAt = [emailConfirmedAt, phoneConfirmedAt].compactMap { $0 }.min()
        return user
    }

    init() {}

    init(id: String, audience: String, role: String, at now: Instant) {
        self.id = id
        self.audience = audience
        self.role = role
        createdAt = now
        updatedAt = now
    }

    /// Deletes every open code, and the changes that wait for a code.
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

    /// Sets `provider` and `providers` in the app metadata; the first one is the provider.
    mutating func setProviders(_ names: [String]) {
        appMetadata["provider"] = names.first.map(JSON.string) ?? appMetadata["provider"]
        appMetadata["providers"] = .array(names.map(JSON.string))
    }

    /// Merges metadata key by key; `null` removes a key.
    static func merge(_ changes: JSONObject, into metadata: inout JSONObject) {
        for (name, value) in changes {
            // A bare `nil` would be JSON's null, not a missing member.
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
    /// The user in a response, without the empty fields that the server omits.
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

extension SQLiteConnection {
    mutating func user(id: String) throws -> User? { try user("id = \(id)") }

    /// Returns the user of an address, ignoring case; SSO users have no address of that kind.
    mutating func user(email: String, audience: String) throws -> User? {
        try user("email = \(email.lowercased()) AND aud = \(audience) AND is_sso_user = 0")
    }

    mutating func user(phone: String, audience: String) throws -> User? {
        guard !phone.isEmpty else { return nil }
        return try user("phone = \(phone) AND aud = \(audience)")
    }

    mutating func user(_ condition: SQL) throws -> User? {
        guard var user = try find(User.self, condition)?.confirmed else { return nil }
        user.identities = try identities(of: user.id)
        user.factors = try factors(of: user.id)
        return user
    }

    /// Writes all columns of the user.
    mutating func save(_ user: inout User, at now: Instant) throws {
        user.updatedAt = now
        try update(user)
    }

    /// Writes only the time of a sign-in.
    mutating func noteSignIn(_ user: inout User, at now: Instant) throws {
        user.lastSignInAt = now
        user.updatedAt = now
        try run("UPDATE users SET last_sign_in_at = \(now), updated_at = \(now) WHERE id = \(user.id)")
    }
}
