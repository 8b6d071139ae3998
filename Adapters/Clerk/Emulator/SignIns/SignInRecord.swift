import LockstepPrimitives

/// One sign-in in progress, or one that is over.
struct SignInRecord: StoredRecord {
    let id: String
    let clientID: String
    var status: SignInStatus
    /// `nil` where the identifier is unknown and the instance hides that.
    var userID: String?
    /// As it was given, in its normal form.
    var identifier: String?
    /// `email_address`, `phone_number` or `username`.
    var identifierKind: String?
    var first: Verification?
    var second: Verification?
    /// The provider's profile, for a transfer to a sign-up.
    var profile: ProviderProfile?
    var createdSessionID: String?
    var locale: String?
    /// Whether the session that it makes asks for a new password first.
    var demandsNewPassword = false
    /// The address the browser goes to at the end of a redirect.
    var redirectURL: String?
    let abandonAt: Instant
    let createdAt: Instant
}

extension SignInRecord {
    static let table = "sign_ins"
    static let columns = [
        "id", "client_id", "status", "user_id", "identifier", "identifier_kind", "first", "second", "profile",
        "created_session_id",
        "locale", "demands_new_password", "redirect_url", "abandon_at", "created_at",
    ]

    init(_ row: inout RowReader) {
        id = row.text()
        clientID = row.text()
        status = SignInStatus(rawValue: row.text()) ?? .abandoned
        userID = row.optionalText()
        identifier = row.optionalText()
        identifierKind = row.optionalText()
        first = Verification(stored: row.optionalText())
        second = Verification(stored: row.optionalText())
        profile = ProviderProfile(stored: row.optionalText())
        createdSessionID = row.optionalText()
        locale = row.optionalText()
        demandsNewPassword = row.flag()
        redirectURL = row.optionalText()
        abandonAt = row.time()
        createdAt = row.time()
    }

    var stored: [StoredValue] {
        [
            .text(id), .text(clientID), .text(status.rawValue), .text(userID), .text(identifier), .text(identifierKind),
            .text(first?.stored), .text(second?.stored), .text(profile?.stored), .text(createdSessionID), .text(locale),
            .flag(demandsNewPassword), .text(redirectURL), .time(abandonAt), .time(createdAt),
        ]
    }
}
