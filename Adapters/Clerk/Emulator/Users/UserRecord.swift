import LockstepPrimitives

/// One user, without addresses and accounts: those are rows of their own.
struct UserRecord: StoredRecord {
    let id: String
    var username: String?
    var firstName: String?
    var lastName: String?
    var locale: String?
    var imageURL: String?
    var primaryEmailID: String?
    var primaryPhoneID: String?
    var passwordDigest: String?
    var passwordHasher: String?
    var passwordUpdatedAt: Instant?
    /// Whether the password is compromised, so that it no longer signs in.
    var isPasswordCompromised = false
    var totpSecret: String?
    var isTOTPVerified = false
    var publicMetadata: JSONObject = [:]
    var privateMetadata: JSONObject = [:]
    var unsafeMetadata: JSONObject = [:]
    var externalID: String?
    var isBanned = false
    /// The end of the lock; far in the future where an administrator set none.
    var lockedUntil: Instant?
    var failedAttempts = 0
    var canDeleteSelf: Bool?
    var bypassesClientTrust = false
    var canCreateOrganizations = true
    var organizationsLimit: Int?
    var legalAcceptedAt: Instant?
    var mfaEnabledAt: Instant?
    var mfaDisabledAt: Instant?
    var lastSignInAt: Instant?
    var lastActiveAt: Instant?
    var createdAt: Instant
    var updatedAt: Instant
}

extension UserRecord {
    /// A new user without anything.
    init(id: String, at now: Instant) {
        self.init(id: id, createdAt: now, updatedAt: now)
    }

    static let table = "users"
    static let columns = [
        "id", "username", "first_name", "last_name", "locale", "image_url", "primary_email_id", "primary_phone_id",
        "password_digest",
        "password_hasher", "password_updated_at", "password_compromised", "totp_secret", "totp_verified", "public_metadata",
        "private_metadata", "unsafe_metadata", "external_id", "banned", "locked_until", "failed_attempts", "can_delete_self",
        "bypasses_client_trust", "can_create_organizations", "organizations_limit", "legal_accepted_at", "mfa_enabled_at",
        "mfa_disabled_at", "last_sign_in_at", "last_active_at", "created_at", "updated_at",
    ]

    init(_ row: inout RowReader) {
        id = row.text()
        username = row.optionalText()
        firstName = row.optionalText()
        lastName = row.optionalText()
        locale = row.optionalText()
        imageURL = row.optionalText()
        primaryEmailID = row.optionalText()
        primaryPhoneID = row.optionalText()
        passwordDigest = row.optionalText()
        passwordHasher = row.optionalText()
        passwordUpdatedAt = row.optionalTime()
        isPasswordCompromised = row.flag()
        totpSecret = row.optionalText()
        isTOTPVerified = row.flag()
        publicMetadata = row.object()
        privateMetadata = row.object()
        unsafeMetadata = row.object()
        externalID = row.optionalText()
        isBanned = row.flag()
        lockedUntil = row.optionalTime()
        failedAttempts = row.number()
        canDeleteSelf = row.optionalNumber().map { $0 == 1 }
        bypassesClientTrust = row.flag()
        canCreateOrganizations = row.flag()
        organizationsLimit = row.optionalNumber().map(Int.init)
        legalAcceptedAt = row.optionalTime()
        mfaEnabledAt = row.optionalTime()
        mfaDisabledAt = row.optionalTime()
        lastSignInAt = row.optionalTime()
        lastActiveAt = row.optionalTime()
        createdAt = row.time()
        updatedAt = row.time()
    }

    var stored: [StoredValue] {
        [
            .text(id), .text(username), .text(firstName), .text(lastName), .text(locale), .text(imageURL), .text(primaryEmailID),
            .text(primaryPhoneID), .text(passwordDigest), .text(passwordHasher), .time(passwordUpdatedAt),
            .flag(isPasswordCompromised),
            .text(totpSecret), .flag(isTOTPVerified), .object(publicMetadata), .object(privateMetadata), .object(unsafeMetadata),
            .text(externalID), .flag(isBanned), .time(lockedUntil), .number(failedAttempts),
            canDeleteSelf.map(StoredValue.flag) ?? .null,
            .flag(bypassesClientTrust), .flag(canCreateOrganizations), organizationsLimit.map(StoredValue.number) ?? .null,
            .time(legalAcceptedAt), .time(mfaEnabledAt), .time(mfaDisabledAt), .time(lastSignInAt), .time(lastActiveAt),
            .time(createdAt), .time(updatedAt),
        ]
    }
}
