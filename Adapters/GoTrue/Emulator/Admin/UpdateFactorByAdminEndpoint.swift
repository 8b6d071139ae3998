internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// Answers `PUT /admin/users/{user_id}/factors/{factor_id}`.
struct UpdateFactorByAdminEndpoint: Endpoint {
    static let shape = BodyShape("adminUserUpdateFactorParams", [("friendly_name", .text), ("phone", .text)])

    func answer(_ turn: inout Turn, _ db: inout SQLiteConnection) throws -> EmulatorResponse {
        try turn.authenticateAdmin()
        let user = try turn.userOfPath(&db)
        var factor = try turn.factorOfPath(user)
        let body = try Body(of: turn.request, as: Self.shape)
        if !body[text: "friendly_name"].isEmpty { factor.name = body[text: "friendly_name"] }
        if factor.kind == .phone, !body[text: "phone"].isEmpty { factor.phone = try Address.phone(body[text: "phone"]) }
        // A name that is taken is a database error, which the server does not handle.
        try db.save(&factor, at: turn.now)
        let traits: JSONObject = ["factor_id": .string(factor.id), "factor_type": .string(factor.kind.rawValue)]
        try turn.auditAdministrator(.factorUpdated, of: user, &db, traits: traits)
        return .go(factor.json)
    }
}
