internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// Answers `DELETE /user/identities/{identity_id}`.
struct UnlinkIdentityEndpoint: FormerEndpoint {
    func answer(_ context: RequestContext) throws -> EmulatorResponse {
        var user = try context.authenticator.requireUser()
        try context.providerSignIn.requireManualLinking()
        let id = try context.pathID("identity_id")
        guard context.call.claims?.audience == context.audience else {
            throw GoTrueError.forbidden(.unexpectedAudience, "Token audience doesn't match request audience")
        }
        let identities = user.identities ?? []
        guard identities.count > 1 else {
            throw GoTrueError.unprocessable(.singleIdentity, "User must have at least 1 identity after unlinking")
        }
        guard let identity = identities.first(where: { $0.id == id }) else {
            throw GoTrueError.unprocessable(.identityNotFound, "Identity doesn't exist")
        }
        try context.auditLog.record(.identityUnlinked, user, traits: identity.auditTraits)
        try context.db.deleteIdentity(id: id)
        if identity.provider == "phone" {
            user.phone = ""
            user.phoneConfirmedAt = nil
            try context.accounts.save(&user)
        } else if try !context.accounts.updateEmail(&user) {
            throw GoTrueError.unprocessable(.emailConflict, "Unable to unlink identity due to email conflict")
        }
        try context.accounts.updateProviders(&user)
        return .go([:] as JSONObject)
    }
}
