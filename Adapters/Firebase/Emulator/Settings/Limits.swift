/// The rate limits; `nil` means no limit.
public struct Limits: Sendable, Equatable {
    /// Wrong passwords for one account, in a row, before it is locked with `TOO_MANY_ATTEMPTS_TRY_LATER`.
    public var failedSignIns: Int?
    /// How long such an account stays locked.
    public var lockout: Duration
    /// The time that must pass between two mails of a kind to one address (`TOO_MANY_ATTEMPTS_TRY_LATER` before).
    public var mailInterval: Duration?
    /// New accounts in an hour (`QUOTA_EXCEEDED : Exceeded quota for sign ups.` after them).
    public var signUpsPerHour: Int?

    /// Custom limits.
    public init(
        failedSignIns: Int? = nil, lockout: Duration = .seconds(900), mailInterval: Duration? = nil, signUpsPerHour: Int? = nil
    ) {
        self.failedSignIns = failedSignIns
        self.lockout = lockout
        self.mailInterval = mailInterval
        self.signUpsPerHour = signUpsPerHour
    }

    /// No limits.
    public static let none = Limits()
}
