/// Limits by caller, which hold only when a header names the caller, and for the whole server.
public struct LimitSettings: Sendable {
    /// The header whose first value is the caller (`GOTRUE_RATE_LIMIT_HEADER`); `nil` means no limits.
    public var header: String?
    /// Mails of the whole server (`GOTRUE_RATE_LIMIT_EMAIL_SENT`); `nil` is no limit.
    public var mails: SendingRate?
    /// Text messages of the whole server (`GOTRUE_RATE_LIMIT_SMS_SENT`); `nil` is no limit.
    public var messages: SendingRate?
    /// Requests in five minutes by caller, by the name of the server's setting.
    public var perFiveMinutes = [
        "TOKEN_REFRESH": 150, "VERIFY": 30, "OTP": 30, "WEB3": 30, "PASSKEY": 30, "SSO": 30,
    ]
    /// Anonymous sign-ups an hour by caller (`GOTRUE_RATE_LIMIT_ANONYMOUS_USERS`).
    public var anonymousPerHour = 30
    /// Challenges and verifications of factors a minute by caller (`GOTRUE_MFA_RATE_LIMIT_CHALLENGE_AND_VERIFY`).
    public var factorsPerMinute = 15

    mutating func read(_ environment: inout EnvironmentReader) {
        header = environment.text("GOTRUE_RATE_LIMIT_HEADER") ?? header
        environment.rate("GOTRUE_RATE_LIMIT_EMAIL_SENT", into: &mails)
        environment.rate("GOTRUE_RATE_LIMIT_SMS_SENT", into: &messages)
        for name in perFiveMinutes.keys.sorted() {
            environment.number("GOTRUE_RATE_LIMIT_\(name)", into: &perFiveMinutes[name, default: 30])
        }
        environment.number("GOTRUE_RATE_LIMIT_ANONYMOUS_USERS", into: &anonymousPerHour)
        environment.number("GOTRUE_MFA_RATE_LIMIT_CHALLENGE_AND_VERIFY", into: &factorsPerMinute)
    }
}
