internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// Answers `DELETE /admin/users/{user_id}/factors/{factor_id}`.
struct DeleteFactorByAdminEndpoint: Endpoint {
    func answer(_ turn: inout Turn, _ db: inout SQLiteConnection) throws -> EmulatorResponse {
        try turn.authenticateAdmin()
        let user = try turn.userOfPath(&db)
        let factor = try turn.factorOfPath(user)
        try turn.audit(
            .factorDeleted, user, &db, traits: ["user_id": .string(user.id), "factor_id": .string(factor.id)])
        try db.deleteFactor(factor)
        return .go(factor.json)
    }
}
