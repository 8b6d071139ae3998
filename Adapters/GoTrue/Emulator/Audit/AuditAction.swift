/// What the audit log calls things.
enum AuditAction: String, Sendable {
    case login
    case logout
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
    case challengeCreated = "challenge_created"
    case factorVerified = "verification_attempted"
    case factorDeleted = "factor_deleted"
    case identityUnlinked = "identity_unlinked"

    /// The group that the log files it under.
    var kind: String {
        switch self {
        case .login, .logout: "account"
        case .signedUp, .invited, .deleted, .confirmationRequested, .repeatedSignUp: "team"
        case .tokenRevoked, .tokenRefreshed: "token"
        case .factorEnrolled, .factorUnenrolled, .challengeCreated, .factorVerified, .factorDeleted: "factor"
        default: "user"
        }
    }
}
