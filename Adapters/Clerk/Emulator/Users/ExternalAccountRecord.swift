internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

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
}

extension ExternalAccountRecord {
    static let table = "external_accounts"
    static let columns = [
        "id", "identification_id", "user_id", "provider", "subject", "email", "linked_email_id", "first_name", "last_name",
        "image_url",
        "scopes", "verification", "created_at", "updated_at",
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
    }

    var stored: [any SQLiteConvertible] {
        [
            id, identificationID, userID, provider, subject, email,
            linkedEmailID,
            firstName, lastName, imageURL, scopes, verification?.stored, createdAt,
            updatedAt,
        ]
    }
}
