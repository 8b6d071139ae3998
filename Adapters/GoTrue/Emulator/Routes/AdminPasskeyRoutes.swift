internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// The administrators' routes for a user's passkeys.
struct AdminPasskeyRoutes {
    let context: RequestContext

    /// Handles `GET /admin/users/{user_id}/passkeys`.
    func list() throws -> EmulatorResponse {
        .go(.array(try context.passkeys.all(of: context.users.userOfPath()).map { .object($0.json) }))
    }

    /// Handles `DELETE /admin/users/{user_id}/passkeys/{passkey_id}`.
    func delete() throws -> EmulatorResponse {
        let user = try context.users.userOfPath()
        let passkey = try context.passkeys.passkeyOfPath(user)
        try context.db.delete(Passkey.self, "id = \(passkey.id)")
        try context.auditLog.recordAdministrator(.passkeyDeleted, of: user, traits: ["passkey_id": .string(passkey.id)])
        return .empty()
    }
}
