internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

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
            "identifier": .text(signIn.identifier), "user_data": userData(user),
            "created_session_id": .text(signIn.createdSessionID), "abandon_at": .time(signIn.abandonAt),
            "locale": .text(signIn.locale),
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
            try !context.extensions.reserve($0["safe_identifier"]?.string)
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
            "first_name": .text(user.firstName), "last_name": .text(user.lastName),
            "image_url": .string(user.imageURL ?? "\(context.state.base)/images/\(user.id)"),
            "has_image": .bool(user.imageURL != nil),
        ]
    }
}
