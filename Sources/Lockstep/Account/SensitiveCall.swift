public import LockstepPrimitives

/// A call that a backend allows only soon after a sign-in, as a value: it can be kept while the user signs in again.
public enum SensitiveCall: Sendable, Hashable {
    /// Delete the account.
    case deleteAccount
    /// Set a new password.
    case changePassword(to: Secret, current: Secret?)
    /// Change the address.
    case changeEmail(to: String)
}
