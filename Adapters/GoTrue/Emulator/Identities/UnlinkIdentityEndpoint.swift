internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// Answers `DELETE /user/identities/{identity_id}`.
struct UnlinkIdentityEndpoint: Endpoint {
    func answer(_ turn: inout Turn, _ db: inout SQLiteConnection) throws -> EmulatorResponse {
        try turn.authenticate(&db)
        try turn.askForManualLinking()
        let id = try turn.id("identity_id")
        guard turn.caller?.claims.audience == turn.audience else {
            throw GoTrueError.forbidden(.unexpectedAudience, "Token audience doesn't match request audience")
        }
        var user = try turn.user()
        let identities = user.identities ?? []
        guard identities.count > 1 else {
            throw GoTrueError.unprocessable(.singleIdentity, "User must have at least 1 identity after unlinking")
        }
        guard let identity = identities.first(where: { $0.id == id }) else {
            throw GoTrueError.unprocessable(.identityNotFound, "Identity doesn't exist")
        }
        try turn.audit(.identityUnlinked, user, &db, traits: identity.auditTraits)
        try db.deleteIdentity(id: id)
        if identity.provider == "phone" {
            user.phone = ""
            user.phoneConfirmedAt = nil
            try turn.save(&user, &db)
        } else if try !turn.updateEmail(&user, &db) {
            throw GoTrueError.unprocessable(.emailConflict, "Unable to unlink identity due to email conflict")
        }
        try turn.updateProviders(&user, &db)
        return .go([:] as JSONObject)
    }
}
