import LockstepPrimitives

/// One sign-up in progress, or one that is over.
///
/// It is not a user, and reserves nothing.
struct SignUpRecord: StoredRecord {
    let id: String
    let clientID: String
    var status = SignUpStatus.missingRequirements
    var emailAddress: String?
    var phoneNumber: String?
    var username: String?
    var passwordDigest: String?
    var firstName: String?
    var lastName: String?
    var unsafeMetadata: JSONObject = [:]
    /// From an invitation.
    var publicMetadata: JSONObject = [:]
    var legalAcceptedAt: Instant?
    var locale: String?
    var emailVerification: Verification?
    var phoneVerification: Verification?
    var externalVerification: Verification?
    var profile: ProviderProfile?
    var createdUserID: String?
    var createdSessionID: String?
    /// The address the browser goes to at the end of a redirect.
    var redirectURL: String?
    /// The ticket that admitted it.
    var ticketID: String?
    let abandonAt: Instant
    let createdAt: Instant
}

extension SignUpRecord {
    static let table = "sign_ups"
    static let columns = [
        "id", "client_id", "status", "email_address", "phone_number", "username", "password_digest", "first_name", "last_name",
        "unsafe_metadata", "public_metadata", "legal_accepted_at", "locale", "email_verification", "phone_verification",
        "external_verification", "profile", "created_user_id", "created_session_id", "redirect_url", "ticket_id", "abandon_at",
        "created_at",
    ]

    init(_ row: inout RowReader) {
        id = row.text()
        clientID = row.text()
        status = SignUpStatus(rawValue: row.text()) ?? .abandoned
        emailAddress = row.optionalText()
        phoneNumber = row.optionalText()
        username = row.optionalText()
        passwordDigest = row.optionalText()
        firstName = row.optionalText()
        lastName = row.optionalText()
        unsafeMetadata = row.object()
        publicMetadata = row.object()
        legalAcceptedAt = row.optionalTime()
        locale = row.optionalText()
        emailVerification = Verification(stored: row.optionalText())
        phoneVerification = Verification(stored: row.optionalText())
        externalVerification = Verification(stored: row.optionalText())
        profile = ProviderProfile(stored: row.optionalText())
        createdUserID = row.optionalText()
        createdSessionID = row.optionalText()
        redirectURL = row.optionalText()
        ticketID = row.optionalText()
        abandonAt = row.time()
        createdAt = row.time()
    }

    var stored: [StoredValue] {
        [
            .text(id), .text(clientID), .text(status.rawValue), .text(emailAddress), .text(phoneNumber), .text(username),
            .text(passwordDigest), .text(firstName), .text(lastName), .object(unsafeMetadata), .object(publicMetadata),
            .time(legalAcceptedAt), .text(locale), .text(emailVerification?.stored), .text(phoneVerification?.stored),
            .text(externalVerification?.stored), .text(profile?.stored), .text(createdUserID), .text(createdSessionID),
            .text(redirectURL), .text(ticketID), .time(abandonAt), .time(createdAt),
        ]
    }
}
