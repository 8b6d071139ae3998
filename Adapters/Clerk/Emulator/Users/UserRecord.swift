internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

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

    init(row: borrowing SQLiteRow) throws(SQLiteError) {
        id = try row["id"]
        username = try row["username"]
        firstName = try row["first_name"]
        lastName = try row["last_name"]
        locale = try row["locale"]
        imageURL = try row["image_url"]
        primaryEmailID = try row["primary_email_id"]
        primaryPhoneID = try row["primary_phone_id"]
        passwordDigest = try row["password_digest"]
        passwordHasher = try row["password_hasher"]
        passwordUpdatedAt = try row["password_updated_at"]
        isPasswordCompromised = try row["password_compromised"]
        totpSecret = try row["totp_secret"]
        isTOTPVerified = try row["totp_verified"]
        publicMetadata = (try row["public_metadata"] as StoredJSON).object
        privateMetadata = (try row["private_metadata"] as StoredJSON).object
        unsafeMetadata = (try row["unsafe_metadata"] as StoredJSON).object
        externalID = try row["external_id"]
        isBanned = try row["banned"]
        lockedUntil = try row["locked_until"]
        failedAttempts = try row["failed_attempts"]
        canDeleteSelf = try row["can_delete_self"]
        bypassesClientTrust = try row["bypasses_client_trust"]
        canCreateOrganizations = try row["can_create_organizations"]
        organizationsLimit = try row["organizations_limit"]
        legalAcceptedAt = try row["legal_accepted_at"]
        mfaEnabledAt = try row["mfa_enabled_at"]
        mfaDisabledAt = try row["mfa_disabled_at"]
        lastSignInAt = try row["last_sign_in_at"]
        lastActiveAt = try row["last_active_at"]
        createdAt = try row["created_at"]
        updatedAt = try row["updated_at"]
    }

    var stored: [any SQLiteConvertible] {
        [
            id, username, firstName, lastName, locale, imageURL, primaryEmailID,
            primaryPhoneID, passwordDigest, passwordHasher, passwordUpdatedAt,
            isPasswordCompromised,
            totpSecret, isTOTPVerified, StoredJSON(.object(publicMetadata)), StoredJSON(.object(privateMetadata)),
            StoredJSON(.object(unsafeMetadata)),
            externalID, isBanned, lockedUntil, failedAttempts,
            canDeleteSelf,
            bypassesClientTrust, canCreateOrganizations, organizationsLimit,
            legalAcceptedAt, mfaEnabledAt, mfaDisabledAt, lastSignInAt, lastActiveAt,
            createdAt, updatedAt,
        ]
    }
}
