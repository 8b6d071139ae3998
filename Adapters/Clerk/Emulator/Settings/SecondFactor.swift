/// A second factor that users of this instance can set up.
public enum SecondFactor: String, Sendable, Hashable, CaseIterable {
    /// An authenticator app.
    case totp
    /// A code by SMS to a number that is reserved for it.
    case phoneCode = "phone_code"
    /// One of ten codes on paper.
    case backupCode = "backup_code"
}
