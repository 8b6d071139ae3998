internal import LockstepPrimitives

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
