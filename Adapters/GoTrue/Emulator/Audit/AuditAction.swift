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

    /// Whether an entry of it has the caller's address; the others have an empty one.
    var hasAddress: Bool {
        switch self {
        case .factorEnrolled, .factorUnenrolled, .factorDeleted, .challengeCreated, .factorVerified, .identityLinked,
            .identityUnlinked, .passkeyCreated, .passkeyUpdated, .passkeyDeleted:
            true
        default: false
        }
    }
}
