internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// The administrators' routes for a user's second factors.
struct AdminFactorRoutes {
    let context: RequestContext

    static let body = BodySchema.go("adminUserUpdateFactorParams", ["friendly_name": .text, "phone": .text])

    /// Handles `GET /admin/users/{user_id}/factors`.
    func list() throws -> EmulatorResponse { .go(.array(try context.users.userOfPath().factors.map { .object($0.json) })) }

    /// Handles `PUT /admin/users/{user_id}/factors/{factor_id}`.
    func update() throws -> EmulatorResponse {
        let user = try context.users.userOfPath()
        var factor = try context.factors.factorOfPath(user)
        let body = try context.body
        if let name = body.given("friendly_name") { factor.name = name }
        if factor.kind == .phone, let phone = body.given("phone") { factor.phone = try Address.phone(phone) }
        // A name that is already used is a database error, which the server does not handle.
        try context.db.save(&factor, at: context.now)
        let traits: JSONObject = ["factor_id": .string(factor.id), "factor_type": .string(factor.kind.rawValue)]
        try context.auditLog.recordAdministrator(.factorUpdated, of: user, traits: traits)
        return .go(factor.json)
    }

    /// Handles `DELETE /admin/users/{user_id}/factors/{factor_id}`.
    func delete() throws -> EmulatorResponse {
        let user = try context.users.userOfPath()
        let factor = try context.factors.factorOfPath(user)
        try context.auditLog.record(.factorDeleted, user, traits: ["user_id": .string(user.id), "factor_id": .string(factor.id)])
        try context.db.deleteFactor(factor)
        return .go(factor.json)
    }
}
