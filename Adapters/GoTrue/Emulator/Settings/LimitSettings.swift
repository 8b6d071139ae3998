internal import LockstepPrimitives

/// The rate limits: for the whole server, and for each caller.
///
/// Limits for a caller apply only if a header identifies the caller.
///
/// ```swift
/// var settings = GoTrueSettings()
/// settings.limits.mails = SendingRate(perHour: 30)
/// ```
public struct LimitSettings: Sendable, Hashable {
    /// The header whose first value identifies the caller (`GOTRUE_RATE_LIMIT_HEADER`); `nil` if no limits for callers
    /// apply.
    public var header: String?
    /// The maximum number of emails that the server sends in a period (`GOTRUE_RATE_LIMIT_EMAIL_SENT`); `nil` for no limit.
    public var mails: SendingRate?
    /// The maximum number of SMS that the server sends in a period (`GOTRUE_RATE_LIMIT_SMS_SENT`); `nil` for no limit.
    public var messages: SendingRate?
    /// The maximum numbers of requests from one caller in five minutes, for each of these settings of the server.
    public var perFiveMinutes = [
        "TOKEN_REFRESH": 150, "VERIFY": 30, "OTP": 30, "WEB3": 30, "PASSKEY": 30, "SSO": 30,
    ]
    /// The maximum number of anonymous sign-ups from one caller in an hour (`GOTRUE_RATE_LIMIT_ANONYMOUS_USERS`).
    public var anonymousPerHour = 30
    /// The maximum number of challenges and verifications from one caller in a minute
    /// (`GOTRUE_MFA_RATE_LIMIT_CHALLENGE_AND_VERIFY`).
    public var factorsPerMinute = 15
    /// The maximum size of a request line and the headers, from 32 KiB to 1 MiB (`LOCKSTEP_HEADER_LIMIT`).
    ///
    /// The real server accepts 1 MiB. With a larger limit, each request to the emulator is slower.
    public var headerBytes = 32 << 10
}

/// The number of messages that the whole server may send per period.
public struct SendingRate: Sendable, Hashable {
    /// The number of messages.
    public var count: Int
    /// The period to which the number of messages applies.
    public var period: Duration
    /// Whether the count starts again at zero after each period.
    ///
    /// If the value is `false`, the limit refills evenly. A plain number in the settings means `true`.
    public var isWindow: Bool

    /// Creates an hourly limit, whose count starts again at zero every hour.
    ///
    /// - Parameter count: The number of messages per hour.
    public init(perHour count: Int) {
        self.count = count
        period = .seconds(3600)
        isWindow = true
    }

    /// `30`, or `30/1h`.
    init?(_ text: String) {
        if let count = Int(text), count >= 0 {
            self.init(perHour: count)
            return
        }
        let pieces = text.pieces(at: "/", omittingEmptySubsequences: false)
        guard pieces.count == 2, let count = Int(pieces[0]), count >= 0, let period = try? GoDuration.parse(String(pieces[1])),
            period > .zero
        else { return nil }
        self.init(perHour: count)
        self.period = period
        isWindow = false
    }

    /// The rate as the settings contain it.
    var text: String { isWindow ? String(count) : "\(count)/\(GoDuration.text(period))" }
}
