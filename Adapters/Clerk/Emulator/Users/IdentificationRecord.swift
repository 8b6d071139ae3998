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
