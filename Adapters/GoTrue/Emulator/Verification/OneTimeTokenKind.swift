internal import LockstepCrypto
internal import LockstepPrimitives
internal import LockstepSQLite

/// The kinds of link that a user may have open, one of each at a time.
enum OneTimeTokenKind: String {
    case confirmation = "confirmation_token"
    case recovery = "recovery_token"
    case emailChangeNew = "email_change_token_new"
    case emailChangeCurrent = "email_change_token_current"
    case phoneChange = "phone_change_token"
    case reauthentication = "reauthentication_token"
}
