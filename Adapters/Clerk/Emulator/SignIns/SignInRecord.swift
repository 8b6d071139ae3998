internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

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
    /// The ticket that proves it, which is used up when the sign-in completes.
    var ticketID: String?
}

extension SignInRecord {
    static let table = "sign_ins"
    static let columns = [
        "id", "client_id", "status", "user_id", "identifier", "identifier_kind", "first", "second", "profile",
        "created_session_id",
        "locale", "demands_new_password", "redirect_url", "abandon_at", "created_at",
        "ticket_id",
    ]

    init(row: borrowing SQLiteRow) throws(SQLiteError) {
        id = try row["id"]
        clientID = try row["client_id"]
        status = SignInStatus(rawValue: try row["status"] as String) ?? .abandoned
        userID = try row["user_id"]
        identifier = try row["identifier"]
        identifierKind = try row["identifier_kind"]
        first = Verification(stored: try row["first"] as String?)
        second = Verification(stored: try row["second"] as String?)
        profile = ProviderProfile(stored: try row["profile"] as String?)
        createdSessionID = try row["created_session_id"]
        locale = try row["locale"]
        demandsNewPassword = try row["demands_new_password"]
        redirectURL = try row["redirect_url"]
        abandonAt = try row["abandon_at"]
        createdAt = try row["created_at"]
        ticketID = try row["ticket_id"]
    }

    var stored: [any SQLiteConvertible] {
        [
            id, clientID, status.rawValue, userID, identifier, identifierKind,
            first?.stored, second?.stored, profile?.stored, createdSessionID, locale,
            demandsNewPassword, redirectURL, abandonAt, createdAt, ticketID,
        ]
    }
}

/// The status of a sign-in (reference, section 4.2).
enum SignInStatus: String {
    case needsIdentifier = "needs_identifier"
    case needsFirstFactor = "needs_first_factor"
    case needsSecondFactor = "needs_second_factor"
    case needsClientTrust = "needs_client_trust"
    case needsNewPassword = "needs_new_password"
    case complete
    case abandoned
}

/// A sign-in as the Frontend API shows it.
struct SignInJSON {
    let context: RequestContext

    func signIn(_ signIn: SignInRecord) throws -> JSON {
        let user = try signIn.userID.flatMap { try UserRepository(context: context).find($0) }
        let factors = try user.map { try FactorList(context: context, user: $0) }
        return [
            "object": "sign_in_attempt", "id": .string(signIn.id), "status": .string(signIn.status.rawValue),
            "supported_identifiers": .strings(context.settings.supportedIdentifiers),
            "supported_first_factors": try first(signIn, factors),
            "supported_second_factors": try second(signIn, factors),
            "first_factor_verification": signIn.first?.json(at: context.now) ?? .null,
            "second_factor_verification": signIn.second?.json(at: context.now) ?? .null,
            "identifier": .optional(signIn.identifier), "user_data": userData(user),
            "created_session_id": .optional(signIn.createdSessionID), "abandon_at": .time(signIn.abandonAt),
            "locale": .optional(signIn.locale),
        ]
    }

    private func first(_ signIn: SignInRecord, _ factors: FactorList?) throws -> JSON {
        guard signIn.status != .complete, signIn.identifier != nil else { return .null }
        let enterprise = try EnterpriseConnections(context: context).factors(for: signIn.identifier)
        guard enterprise.isEmpty else { return .array(enterprise.map { .object($0) }) }
        guard let factors else {
            return .array(PretendedFactors(settings: context.settings, signIn: signIn).first.map { .object($0) })
        }
        let connections = EnterpriseConnections(context: context)
        let own = try factors.first(identifierKind: signIn.identifierKind).filter {
            try connections.active(for: $0["safe_identifier"]?.string).isEmpty
        }
        return .array(own.map { .object($0) })
    }

    private func second(_ signIn: SignInRecord, _ factors: FactorList?) throws -> JSON {
        switch signIn.status {
        case .needsSecondFactor: .array(try factors?.second().map { .object($0) } ?? [])
        case .needsClientTrust: .array(factors?.clientTrust().map { .object($0) } ?? [])
        default: .null
        }
    }

    private func userData(_ user: UserRecord?) -> JSON {
        guard !context.settings.hidesPersonalData, let user else { return .null }
        return [
            "first_name": .optional(user.firstName), "last_name": .optional(user.lastName),
            "image_url": .string(user.imageURL ?? "\(context.state.base)/images/\(user.id)"),
            "has_image": .bool(user.imageURL != nil),
        ]
    }
}
