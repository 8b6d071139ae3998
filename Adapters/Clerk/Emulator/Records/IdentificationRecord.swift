internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// An email address or a phone number of a user.
struct IdentificationRecord: Record {
    enum Kind: String, ColumnValue {
        case email = "email_address"
        case phone = "phone_number"
    }

    var id: String
    var userID: String
    var kind: Kind
    var value: String
    /// The verification; `nil` until one is requested.
    var verification: Verification?
    /// Whether the user can sign in with it without a verification, and no other user can have it.
    var isReserved = false
    var isSecondFactor = false
    var isDefaultSecondFactor = false
    var createdAt: Instant
    var updatedAt: Instant

    var isVerified: Bool { verification?.isVerified ?? false }

    /// Whether it is a test address, whose code is always 424242.
    var isTest: Bool {
        switch kind {
        case .email: EmailAddress(value)?.isTest ?? false
        case .phone: PhoneNumber(value)?.isTest ?? false
        }
    }
}

extension IdentificationRecord {
    init() { self.init(id: "", userID: "", kind: .email, value: "", createdAt: .distantPast, updatedAt: .distantPast) }

    static let table = Table<IdentificationRecord>(
        "identifications",
        [
            Column("id", \.id, .key), Column("user_id", \.userID, .belongs(to: "users")), Column("kind", \.kind),
            Column("value", \.value), Column("verification", \.verification), Column("reserved", \.isReserved),
            Column("second_factor", \.isSecondFactor), Column("default_second_factor", \.isDefaultSecondFactor),
            Column("created_at", \.createdAt), Column("updated_at", \.updatedAt),
        ],
        rules: ["UNIQUE (kind, value, user_id)"],
        indexes: [
            Index("identifications_by_user", on: "user_id"),
            Index("identifications_claimed", on: "kind, value", isUnique: true, where: isClaim),
        ],
        more: triggers)

    /// The condition for a row that claims its address.
    ///
    /// Other users may have entered the address, and lose it then.
    private static let isClaim = "reserved = 1 OR json_extract(verification, '$.status') = 'verified'"

    private static let triggers = """
        CREATE TRIGGER identification_made AFTER INSERT ON identifications
            WHEN NEW.reserved = 1 OR json_extract(NEW.verification, '$.status') = 'verified' BEGIN
            DELETE FROM identifications WHERE kind = NEW.kind AND value = NEW.value AND id <> NEW.id;
        END;
        CREATE TRIGGER identification_claimed AFTER UPDATE ON identifications
            WHEN NEW.reserved = 1 OR json_extract(NEW.verification, '$.status') = 'verified' BEGIN
            DELETE FROM identifications WHERE kind = NEW.kind AND value = NEW.value AND id <> NEW.id;
        END;
        CREATE TRIGGER identification_gone AFTER DELETE ON identifications BEGIN
            UPDATE users SET primary_email_id = NULL WHERE primary_email_id = OLD.id;
            UPDATE users SET primary_phone_id = NULL WHERE primary_phone_id = OLD.id;
        END;
        """
}

/// An account at an identity provider that belongs to a user.
struct ExternalAccountRecord: Record {
    var id: String
    var identificationID: String
    var userID: String
    /// The provider's name in strategies, `apple`.
    var provider: String
    /// The provider's id of the user; `nil` until the provider has responded.
    var subject: String?
    var email: String?
    /// The address of the user that this account verifies, if there is one.
    var linkedEmailID: String?
    var firstName: String?
    var lastName: String?
    var imageURL: String?
    var scopes: String
    var verification: Verification?
    var createdAt: Instant
    var updatedAt: Instant
    /// The provider's own token after a redirect; there is none after a sign-in with an ID token.
    var accessToken: String?
}

extension ExternalAccountRecord {
    init() {
        self.init(
            id: "", identificationID: "", userID: "", provider: "", scopes: "", createdAt: .distantPast, updatedAt: .distantPast)
    }

    static let table = Table<ExternalAccountRecord>(
        "external_accounts",
        [
            Column("id", \.id, .key), Column("identification_id", \.identificationID),
            Column("user_id", \.userID, .belongs(to: "users")), Column("provider", \.provider), Column("subject", \.subject),
            Column("email", \.email), Column("linked_email_id", \.linkedEmailID), Column("first_name", \.firstName),
            Column("last_name", \.lastName), Column("image_url", \.imageURL), Column("scopes", \.scopes),
            Column("verification", \.verification), Column("created_at", \.createdAt), Column("updated_at", \.updatedAt),
            Column("access_token", \.accessToken),
        ],
        rules: ["UNIQUE (provider, subject)"],
        indexes: [Index("external_accounts_by_user", on: "user_id")])
}
