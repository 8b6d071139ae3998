internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// An e-mail address or a telephone number of a user.
struct IdentificationRecord: StoredRecord {
    enum Kind: String {
        case email = "email_address"
        case phone = "phone_number"
    }

    let id: String
    let userID: String
    let kind: Kind
    let value: String
    /// `nil` until a proof is requested.
    var verification: Verification?
    /// Signs in without a proof, and no other user can have it.
    var isReserved = false
    var isSecondFactor = false
    var isDefaultSecondFactor = false
    let createdAt: Instant
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
    static let table = "identifications"
    static let columns = [
        "id", "user_id", "kind", "value", "verification", "reserved", "second_factor", "default_second_factor", "created_at",
        "updated_at",
    ]

    init(row: borrowing SQLiteRow) throws(SQLiteError) {
        id = try row["id"]
        userID = try row["user_id"]
        kind = Kind(rawValue: try row["kind"] as String) ?? .email
        value = try row["value"]
        verification = Verification(stored: try row["verification"] as String?)
        isReserved = try row["reserved"]
        isSecondFactor = try row["second_factor"]
        isDefaultSecondFactor = try row["default_second_factor"]
        createdAt = try row["created_at"]
        updatedAt = try row["updated_at"]
    }

    var stored: [any SQLiteConvertible] {
        [
            id, userID, kind.rawValue, value, verification?.stored, isReserved,
            isSecondFactor, isDefaultSecondFactor, createdAt, updatedAt,
        ]
    }
}

/// An account at an identity provider that belongs to a user.
struct ExternalAccountRecord: StoredRecord {
    let id: String
    let identificationID: String
    let userID: String
    /// The provider's name in strategies, `apple`.
    let provider: String
    /// The provider's name for the user; `nil` until the provider has answered.
    var subject: String?
    var email: String?
    /// The address of the user that this account proves, if there is one.
    var linkedEmailID: String?
    var firstName: String?
    var lastName: String?
    var imageURL: String?
    var scopes: String
    var verification: Verification?
    let createdAt: Instant
    var updatedAt: Instant
    /// The provider's own token, after a redirect; an ID token brings none.
    var accessToken: String?
}

extension ExternalAccountRecord {
    static let table = "external_accounts"
    static let columns = [
        "id", "identification_id", "user_id", "provider", "subject", "email", "linked_email_id", "first_name", "last_name",
        "image_url",
        "scopes", "verification", "created_at", "updated_at", "access_token",
    ]

    init(row: borrowing SQLiteRow) throws(SQLiteError) {
        id = try row["id"]
        identificationID = try row["identification_id"]
        userID = try row["user_id"]
        provider = try row["provider"]
        subject = try row["subject"]
        email = try row["email"]
        linkedEmailID = try row["linked_email_id"]
        firstName = try row["first_name"]
        lastName = try row["last_name"]
        imageURL = try row["image_url"]
        scopes = try row["scopes"]
        verification = Verification(stored: try row["verification"] as String?)
        createdAt = try row["created_at"]
        updatedAt = try row["updated_at"]
        accessToken = try row["access_token"]
    }

    var stored: [any SQLiteConvertible] {
        [
            id, identificationID, userID, provider, subject, email,
            linkedEmailID,
            firstName, lastName, imageURL, scopes, verification?.stored, createdAt,
            updatedAt, accessToken,
        ]
    }
}
