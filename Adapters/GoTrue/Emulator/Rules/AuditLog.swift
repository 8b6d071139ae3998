internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// Writes the audit log.
struct AuditLog {
    let context: RequestContext

    /// The maximum number of entries, because a log without a limit would be a leak.
    private static let capacity: Int64 = 10_000

    /// Writes an entry of the audit log about an action of a user.
    func record(_ action: AuditAction, _ actor: User, traits: JSONObject = [:]) throws {
        var payload: JSONObject = [
            "action": .string(action.rawValue), "actor_id": .string(actor.id),
            "actor_username": .string(actor.phone.isEmpty ? actor.email : actor.phone), "actor_via_sso": .bool(actor.isSSO),
            "log_type": .string(action.kind),
        ]
        payload["actor_name"] = actor.userMetadata?["full_name"]
        if !traits.isEmpty { payload["traits"] = .object(traits.sorted()) }
        let address = action.hasAddress ? context.callerAddress : ""
        try context.db.insert(
            AuditEntry(
                id: context.uuid(), payload: payload.sorted(), action: action.rawValue, address: address, createdAt: context.now))
        let newest = context.db.lastInsertedRow
        if newest % 100 == 0 { try context.db.delete(AuditEntry.self, "row <= \(newest - Self.capacity)") }
    }

    /// Writes an entry about an administrator's action on a user: the actor has a role, but no id.
    func recordAdministrator(_ action: AuditAction, of user: User, traits: JSONObject = [:]) throws {
        let role = context.call.claims?.role ?? ""
        var actor = User(id: "00000000-0000-0000-0000-000000000000", audience: "", role: role, at: context.now)
        actor.email = role
        var traits = traits
        traits["user_id"] = .string(user.id)
        try record(action, actor, traits: traits)
    }
}

extension User {
    /// The addresses in the format of the audit log.
    var auditTraits: JSONObject { ["user_email": .string(email), "user_phone": .string(phone)] }
}

/// The actions of the audit log.
enum AuditAction: String, Sendable {
    case login
    case logout
    case inviteAccepted = "invite_accepted"
    case signedUp = "user_signedup"
    case invited = "user_invited"
    case deleted = "user_deleted"
    case modified = "user_modified"
    case recoveryRequested = "user_recovery_requested"
    case reauthenticated = "user_reauthenticate_requested"
    case confirmationRequested = "user_confirmation_requested"
    case repeatedSignUp = "user_repeated_signup"
    case passwordUpdated = "user_updated_password"
    case tokenRevoked = "token_revoked"
    case tokenRefreshed = "token_refreshed"
    case factorEnrolled = "factor_in_progress"
    case factorUnenrolled = "factor_unenrolled"
    case factorUpdated = "factor_updated"
    case factorDeleted = "factor_deleted"
    case challengeCreated = "challenge_created"
    case factorVerified = "verification_attempted"
    case identityLinked = "identity_linked"
    case identityUnlinked = "identity_unlinked"
    case passkeyCreated = "passkey_created"
    case passkeyUpdated = "passkey_updated"
    case passkeyDeleted = "passkey_deleted"

    /// Its group in the log.
    var kind: String {
        switch self {
        case .login, .logout, .inviteAccepted: "account"
        case .signedUp, .invited, .deleted: "team"
        case .tokenRevoked, .tokenRefreshed: "token"
        case .factorEnrolled, .factorUnenrolled, .factorUpdated, .factorDeleted, .challengeCreated, .factorVerified: "factor"
        default: "user"
        }
    }

    /// Whether an entry for this action contains the caller's address; in the others, it is empty.
    var hasAddress: Bool {
        switch self {
        case .factorEnrolled, .factorUnenrolled, .factorDeleted, .challengeCreated, .factorVerified, .identityLinked,
            .identityUnlinked, .passkeyCreated, .passkeyUpdated, .passkeyDeleted:
            true
        default: false
        }
    }
}
