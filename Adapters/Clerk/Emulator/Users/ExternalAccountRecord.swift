import LockstepPrimitives

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

    init(_ row: inout RowReader) {
        id = row.text()
        identificationID = row.text()
        userID = row.text()
        provider = row.text()
        subject = row.optionalText()
        email = row.optionalText()
        linkedEmailID = row.optionalText()
        firstName = row.optionalText()
        lastName = row.optionalText()
        imageURL = row.optionalText()
        scopes = row.text()
        verification = Verification(stored: row.optionalText())
        createdAt = row.time()
        updatedAt = row.time()
    }

    var stored: [StoredValue] {
        [
            .text(id), .text(identificationID), .text(userID), .text(provider), .text(subject), .text(email),
            .text(linkedEmailID),
            .text(firstName), .text(lastName), .text(imageURL), .text(scopes), .text(verification?.stored), .time(createdAt),
            .time(updatedAt),
        ]
    }
}
