internal import LockstepCrypto
internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// Answers `DELETE /admin/users/{user_id}`.
struct DeleteUserEndpoint: Endpoint {
    static let shape = BodyShape("adminUserDeleteParams", [("should_soft_delete", .flag)])

    func answer(_ turn: inout Turn, _ db: inout SQLiteConnection) throws -> EmulatorResponse {
        try turn.authenticateAdmin()
        let user = try turn.userOfPath(&db)
        let isSoft = try !turn.request.body.isEmpty && Body(of: turn.request, as: Self.shape)[flag: "should_soft_delete"]
        try turn.auditAdministrator(.deleted, of: user, &db, traits: user.auditTraits)
        if !isSoft {
            try db.deleteUser(id: user.id)
        } else if user.deletedAt == nil {
            try SoftDeletion().delete(user, turn, &db)
        }
        return .go([:] as JSONObject)
    }
}
