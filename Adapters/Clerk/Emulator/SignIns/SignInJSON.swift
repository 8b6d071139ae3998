import LockstepPrimitives

/// A sign-in as the Frontend API shows it.
struct SignInJSON {
    let exchange: Exchange

    func signIn(_ signIn: SignInRecord) throws -> JSON {
        let user = try signIn.userID.flatMap { try UserDirectory(exchange: exchange).find($0) }
        let factors = try user.map { try FactorList(exchange: exchange, user: $0) }
        return [
            "object": "sign_in_attempt", "id": .string(signIn.id), "status": .string(signIn.status.rawValue),
            "supported_identifiers": .strings(exchange.settings.supportedIdentifiers),
            "supported_first_factors": first(signIn, factors), "supported_second_factors": try second(signIn, factors),
            "first_factor_verification": signIn.first?.json(at: exchange.now) ?? .null,
            "second_factor_verification": signIn.second?.json(at: exchange.now) ?? .null,
            "identifier": .optional(signIn.identifier), "user_data": userData(user),
            "created_session_id": .optional(signIn.createdSessionID), "abandon_at": .time(signIn.abandonAt),
            "locale": .optional(signIn.locale),
        ]
    }

    private func first(_ signIn: SignInRecord, _ factors: FactorList?) -> JSON {
        guard signIn.status != .complete, signIn.identifier != nil else { return .null }
        guard let factors else {
            return .array(PretendedFactors(settings: exchange.settings, signIn: signIn).first.map { .object($0) })
        }
        return .array(factors.first(identifierKind: signIn.identifierKind).map { .object($0) })
    }

    private func second(_ signIn: SignInRecord, _ factors: FactorList?) throws -> JSON {
        switch signIn.status {
        case .needsSecondFactor: .array(try factors?.second().map { .object($0) } ?? [])
        case .needsClientTrust: .array(factors?.clientTrust().map { .object($0) } ?? [])
        default: .null
        }
    }

    private func userData(_ user: UserRecord?) -> JSON {
        guard !exchange.settings.hidesPersonalData, let user else { return .null }
        return [
            "first_name": .optional(user.firstName), "last_name": .optional(user.lastName),
            "image_url": .string(user.imageURL ?? "\(exchange.instance.base)/images/\(user.id)"),
            "has_image": .bool(user.imageURL != nil),
        ]
    }
}
