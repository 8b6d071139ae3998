internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// A sign-up, in progress or finished.
///
/// It is not a user, and reserves nothing.
struct SignUpRecord: Record {
    var id: String
    var clientID: String
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
    /// The URL of the browser at the end of a redirect.
    var redirectURL: String?
    /// The ticket that admitted it.
    var ticketID: String?
    var abandonAt: Instant
    var createdAt: Instant
    /// The id that the user will have in another system, which a server has sent.
    var externalID: String?
    /// Whether a server has completed its part.
    var isCustomActionDone = false
}

extension SignUpRecord {
    init() { self.init(id: "", clientID: "", abandonAt: .distantPast, createdAt: .distantPast) }

    static let table = Table<SignUpRecord>(
        "sign_ups",
        [
            Column("id", \.id, .key), Column("client_id", \.clientID, .belongs(to: "clients")), Column("status", \.status),
            Column("email_address", \.emailAddress), Column("phone_number", \.phoneNumber), Column("username", \.username),
            Column("password_digest", \.passwordDigest), Column("first_name", \.firstName), Column("last_name", \.lastName),
            Column("unsafe_metadata", \.unsafeMetadata), Column("public_metadata", \.publicMetadata),
            Column("legal_accepted_at", \.legalAcceptedAt), Column("locale", \.locale),
            Column("email_verification", \.emailVerification), Column("phone_verification", \.phoneVerification),
            Column("external_verification", \.externalVerification), Column("profile", \.profile),
            Column("created_user_id", \.createdUserID), Column("created_session_id", \.createdSessionID),
            Column("redirect_url", \.redirectURL), Column("ticket_id", \.ticketID), Column("abandon_at", \.abandonAt),
            Column("created_at", \.createdAt), Column("external_id", \.externalID),
            Column("custom_action", \.isCustomActionDone, .initially("0")),
        ])
}

/// The status of a sign-up (https://clerk.com/docs/reference/frontend-api).
enum SignUpStatus: String, ColumnValue {
    case missingRequirements = "missing_requirements"
    case complete
    case abandoned
}
