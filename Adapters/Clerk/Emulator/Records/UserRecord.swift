internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// A user, without addresses and accounts, which are separate rows.
struct UserRecord: Record {
    var id: String
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
    /// Whether the password is compromised, so that the user cannot sign in with it.
    var isPasswordCompromised = false
    var totpSecret: String?
    var isTOTPVerified = false
    var publicMetadata: JSONObject = [:]
    var privateMetadata: JSONObject = [:]
    var unsafeMetadata: JSONObject = [:]
    var externalID: String?
    var isBanned = false
    /// The end of the lock; far in the future if an administrator set none.
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

    init() { self.init(id: "", createdAt: .distantPast, updatedAt: .distantPast) }

    static let table = Table<UserRecord>(
        "users",
        [
            Column("id", \.id, .key), Column("username", \.username, .unique, .ignoringCase),
            Column("first_name", \.firstName), Column("last_name", \.lastName), Column("locale", \.locale),
            Column("image_url", \.imageURL), Column("primary_email_id", \.primaryEmailID),
            Column("primary_phone_id", \.primaryPhoneID), Column("password_digest", \.passwordDigest),
            Column("password_hasher", \.passwordHasher), Column("password_updated_at", \.passwordUpdatedAt),
            Column("password_compromised", \.isPasswordCompromised), Column("totp_secret", \.totpSecret),
            Column("totp_verified", \.isTOTPVerified), Column("public_metadata", \.publicMetadata),
            Column("private_metadata", \.privateMetadata), Column("unsafe_metadata", \.unsafeMetadata),
            Column("external_id", \.externalID, .unique), Column("banned", \.isBanned), Column("locked_until", \.lockedUntil),
            Column("failed_attempts", \.failedAttempts), Column("can_delete_self", \.canDeleteSelf),
            Column("bypasses_client_trust", \.bypassesClientTrust),
            Column("can_create_organizations", \.canCreateOrganizations), Column("organizations_limit", \.organizationsLimit),
            Column("legal_accepted_at", \.legalAcceptedAt), Column("mfa_enabled_at", \.mfaEnabledAt),
            Column("mfa_disabled_at", \.mfaDisabledAt), Column("last_sign_in_at", \.lastSignInAt),
            Column("last_active_at", \.lastActiveAt), Column("created_at", \.createdAt), Column("updated_at", \.updatedAt),
        ],
        rules: ["CHECK ((password_digest IS NULL) = (password_hasher IS NULL))"],
        indexes: [Index("users_by_age", on: "created_at")])
}
