internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// One sign-in in progress, or one that is over.
struct SignInRecord: Record {
    var id: String
    var clientID: String
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
    var abandonAt: Instant
    var createdAt: Instant
    /// The ticket that proves it, which is used up when the sign-in completes.
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

/// A sign-in as the Frontend API shows it.
struct SignInJSON {
    let context: RequestContext

    func signIn(_ signIn: SignInRecord) throws -> JSON {
        let user = try signIn.userID.flatMap { try context.users.find($0) }
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
        guard signIn.status != .complete, let identifier = signIn.identifier else { return .null }
        let others = try context.extensions.factors(for: identifier)
        guard others.isEmpty else { return .array(others.map { .object($0) }) }
        guard let factors else {
            return .array(PretendedFactors(settings: context.settings, signIn: signIn).first.map { .object($0) })
        }
        let own = try factors.first(identifierKind: signIn.identifierKind).filter {
            try !context.extensions.answer(for: $0["safe_identifier"]?.string)
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
