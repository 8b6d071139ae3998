internal import LockstepCrypto
internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// Keeps the row and the id of a user, and removes all personal data.
struct SoftDeletion {
    let context: RequestContext

    func delete(_ user: User) throws {
        var gone = user
        gone.email = Self.disguise(user.id, user.email)
        gone.phone = String(Self.disguise(user.id, user.phone).prefix(15))
        gone.emailChange = Self.disguise(user.id, user.emailChange)
        gone.phoneChange = String(Self.disguise(user.id, user.phoneChange).prefix(15))
        gone.passwordHash = nil
        gone.confirmation.hash = ""
        gone.recovery.hash = ""
        gone.emailChangeCurrentHash = ""
        gone.emailChangeNewHash = ""
        gone.phoneChangeSlot.hash = ""
        gone.reauthentication.hash = ""
        gone.userMetadata = [:]
        gone.appMetadata = [:]
        gone.deletedAt = context.now
        try context.users.save(&gone)
        try context.db.clearOneTimeTokens(of: user.id)
        for factor in user.factors { try context.db.delete(Factor.self, "id = \(factor.id)") }
        for var identity in try context.db.identities(of: user.id) {
            identity.subject = Self.disguise(user.id, identity.provider + ":" + identity.subject)
            identity.data = [:]
            try context.db.update(identity)
        }
        try context.db.delete(Passkey.self, "user_id = \(user.id)")
        try context.db.endSessions(of: user.id)
    }

    private static func disguise(_ id: String, _ text: String) -> String {
        Base64.encode(HashFunction.sha256.digest(id + text), .url)
    }
}
