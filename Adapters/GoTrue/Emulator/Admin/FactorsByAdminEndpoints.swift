internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// Answers `GET /admin/users/{user_id}/factors`.
struct ListFactorsEndpoint: FormerEndpoint {
    var isReading: Bool { true }

    func answer(_ context: RequestContext) throws -> EmulatorResponse {
        try context.authenticator.requireAdministrator()
        return .go(.array(try context.accounts.userOfPath().factors.map { .object($0.json) }))
    }
}

/// Answers `PUT /admin/users/{user_id}/factors/{factor_id}`.
struct UpdateFactorByAdminEndpoint: FormerEndpoint {
    static let shape = BodySchema.go("adminUserUpdateFactorParams", ["friendly_name": .text, "phone": .text])

    func answer(_ context: RequestContext) throws -> EmulatorResponse {
        try context.authenticator.requireAdministrator()
        let user = try context.accounts.userOfPath()
        var factor = try context.factors.factorOfPath(user)
        let body = try Body(of: context.request, as: Self.shape)
        if !body[text: "friendly_name"].isEmpty { factor.name = body[text: "friendly_name"] }
        if factor.kind == .phone, !body[text: "phone"].isEmpty { factor.phone = try Address.phone(body[text: "phone"]) }
        // A name that is taken is a database error, which the server does not handle.
        try context.db.save(&factor, at: context.now)
        let traits: JSONObject = ["factor_id": .string(factor.id), "factor_type": .string(factor.kind.rawValue)]
        try context.auditLog.recordAdministrator(.factorUpdated, of: user, traits: traits)
        return .go(factor.json)
    }
}

/// Answers `DELETE /admin/users/{user_id}/factors/{factor_id}`.
struct DeleteFactorByAdminEndpoint: FormerEndpoint {
    func answer(_ context: RequestContext) throws -> EmulatorResponse {
        try context.authenticator.requireAdministrator()
        let user = try context.accounts.userOfPath()
        let factor = try context.factors.factorOfPath(user)
        try context.auditLog.record(
            .factorDeleted, user, traits: ["user_id": .string(user.id), "factor_id": .string(factor.id)])
        try context.db.deleteFactor(factor)
        return .go(factor.json)
    }
}
