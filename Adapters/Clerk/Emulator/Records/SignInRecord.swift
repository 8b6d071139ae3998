internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// A sign-in, in progress or finished.
struct SignInRecord: Record {
    var id: String
    var clientID: String
    var status: SignInStatus
    /// `nil` if the identifier is unknown and the instance hides that.
    var userID: String?
    /// The identifier of the request, in its normalized form.
    var identifier: String?
    /// `email_address`, `phone_number` or `username`.
    var identifierKind: String?
    var first: Verification?
    var second: Verification?
    /// The provider's profile, for a transfer to a sign-up.
    var profile: ProviderProfile?
    var createdSessionID: String?
    var locale: String?
    /// Whether the session of the sign-in first requires a new password.
    var demandsNewPassword = false
    /// The URL of the browser at the end of a redirect.
    var redirectURL: String?
    var abandonAt: Instant
    var createdAt: Instant
    /// The ticket that verifies the sign-in; it is used up when the sign-in completes.
    var ticketID: String?
}

extension SignInRecord {
    init() { self.init(id: "", clientID: "", status: .abandoned, abandonAt: .distantPast, createdAt: .distantPast) }

    static let table = Table<SignInRecord>(
        "sign_ins",
        [
            Column("id", \.id, .key), Column("client_id", \.clientID, .belongs(to: "clients")), Column("status", \.status),
            Column("user_id", \.userID, .belongs(to: "users")), Column("identifier", \.identifier),
            Column("identifier_kind", \.identifierKind), Column("first", \.first), Column("second", \.second),
            Column("profile", \.profile), Column("created_session_id", \.createdSessionID), Column("locale", \.locale),
            Column("demands_new_password", \.demandsNewPassword), Column("redirect_url", \.redirectURL),
            Column("abandon_at", \.abandonAt), Column("created_at", \.createdAt), Column("ticket_id", \.ticketID),
        ])
}

/// The status of a sign-in (https://clerk.com/docs/reference/frontend-api).
enum SignInStatus: String, ColumnValue {
    case needsIdentifier = "needs_identifier"
    case needsFirstFactor = "needs_first_factor"
    case needsSecondFactor = "needs_second_factor"
    case needsClientTrust = "needs_client_trust"
    case needsNewPassword = "needs_new_password"
    case complete
    case abandoned
}
