import LockstepPrimitives

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

    init(_ row: inout RowReader) {
        id = row.text()
        userID = row.text()
        kind = Kind(rawValue: row.text()) ?? .email
        value = row.text()
        verification = Verification(stored: row.optionalText())
        isReserved = row.flag()
        isSecondFactor = row.flag()
        isDefaultSecondFactor = row.flag()
        createdAt = row.time()
        updatedAt = row.time()
    }

    var stored: [StoredValue] {
        [
            .text(id), .text(userID), .text(kind.rawValue), .text(value), .text(verification?.stored), .flag(isReserved),
            .flag(isSecondFactor), .flag(isDefaultSecondFactor), .time(createdAt), .time(updatedAt),
        ]
    }
}
