internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

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
    /// The id that the user will have elsewhere, given by a server.
    var externalID: String?
    /// Whether a server has done its part.
    var isCustomActionDone = false
}

extension SignUpRecord {
    static let table = "sign_ups"
    static let columns = [
        "id", "client_id", "status", "email_address", "phone_number", "username", "password_digest", "first_name", "last_name",
        "unsafe_metadata", "public_metadata", "legal_accepted_at", "locale", "email_verification", "phone_verification",
        "external_verification", "profile", "created_user_id", "created_session_id", "redirect_url", "ticket_id", "abandon_at",
        "created_at", "external_id", "custom_action",
    ]

    init(row: borrowing SQLiteRow) throws(SQLiteError) {
        id = try row["id"]
        clientID = try row["client_id"]
        status = SignUpStatus(rawValue: try row["status"] as String) ?? .abandoned
        emailAddress = try row["email_address"]
        phoneNumber = try row["phone_number"]
        username = try row["username"]
        passwordDigest = try row["password_digest"]
        firstName = try row["first_name"]
        lastName = try row["last_name"]
        unsafeMetadata = (try row["unsafe_metadata"] as StoredJSON).object
        publicMetadata = (try row["public_metadata"] as StoredJSON).object
        legalAcceptedAt = try row["legal_accepted_at"]
        locale = try row["locale"]
        emailVerification = Verification(stored: try row["email_verification"] as String?)
        phoneVerification = Verification(stored: try row["phone_verification"] as String?)
        externalVerification = Verification(stored: try row["external_verification"] as String?)
        profile = ProviderProfile(stored: try row["profile"] as String?)
        createdUserID = try row["created_user_id"]
        createdSessionID = try row["created_session_id"]
        redirectURL = try row["redirect_url"]
        ticketID = try row["ticket_id"]
        abandonAt = try row["abandon_at"]
        createdAt = try row["created_at"]
        externalID = try row["external_id"]
        isCustomActionDone = try row["custom_action"]
    }

    var stored: [any SQLiteConvertible] {
        [
            id, clientID, status.rawValue, emailAddress, phoneNumber, username,
            passwordDigest, firstName, lastName, StoredJSON(.object(unsafeMetadata)), StoredJSON(.object(publicMetadata)),
            legalAcceptedAt, locale, emailVerification?.stored, phoneVerification?.stored,
            externalVerification?.stored, profile?.stored, createdUserID, createdSessionID,
            redirectURL, ticketID, abandonAt, createdAt, externalID,
            isCustomActionDone,
        ]
    }
}

/// The status of a sign-up (reference, section 4.1).
enum SignUpStatus: String {
    case missingRequirements = "missing_requirements"
    case complete
    case abandoned
}

/// A sign-up as the Frontend API shows it.
struct SignUpJSON {
    let context: RequestContext

    func signUp(_ signUp: SignUpRecord) throws -> JSON {
        let requirements = try SignUpRequirements(context: context, signUp: signUp)
        return [
            "object": "sign_up_attempt", "id": .string(signUp.id), "status": .string(signUp.status.rawValue),
            "required_fields": .strings(requirements.required), "optional_fields": .strings(requirements.optional),
            "missing_fields": .strings(requirements.missing), "unverified_fields": .strings(requirements.unverified),
            "verifications": [
                "email_address": verification(signUp.emailVerification),
                "phone_number": verification(signUp.phoneVerification),
                "web3_wallet": nil,
                "external_account": verification(signUp.externalVerification),
            ],
            "username": .optional(signUp.username), "email_address": .optional(signUp.emailAddress),
            "phone_number": .optional(signUp.phoneNumber), "web3_wallet": nil,
            "password_enabled": .bool(signUp.passwordDigest != nil), "has_password": .bool(signUp.passwordDigest != nil),
            "first_name": .optional(signUp.firstName), "last_name": .optional(signUp.lastName),
            "unsafe_metadata": .object(signUp.unsafeMetadata), "public_metadata": .object(signUp.publicMetadata),
            "custom_action": .bool(signUp.isCustomActionDone), "external_id": .optional(signUp.externalID),
            "created_session_id": .optional(signUp.createdSessionID),
            "created_user_id": .optional(signUp.createdUserID), "abandon_at": .time(signUp.abandonAt),
            "legal_accepted_at": .time(signUp.legalAcceptedAt), "locale": .optional(signUp.locale),
        ]
    }

    private func verification(_ proof: Verification?) -> JSON {
        proof?.json(at: context.now, isOfSignUp: true) ?? .null
    }
}
