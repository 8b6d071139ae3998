public import LockstepPrimitives

/// The settings of SMS and their codes.
///
/// ```swift
/// var settings = GoTrueSettings()
/// settings.signIn.allowsPhone = true
/// settings.sms.testCodes = ["4915112345678": "123456"]
/// ```
public struct SMSSettings: Sendable, Hashable {
    /// Whether a new phone number is confirmed without a message (`GOTRUE_SMS_AUTOCONFIRM`).
    public var confirmsByItself = false
    /// The number of digits of a code (`GOTRUE_SMS_OTP_LENGTH`).
    public var codeLength = 6
    /// The lifetime of codes (`GOTRUE_SMS_OTP_EXP`).
    public var codeLife = Duration.seconds(60)
    /// The minimum time between two SMS of the same kind to the same user (`GOTRUE_SMS_MAX_FREQUENCY`).
    public var interval = Duration.seconds(60)
    /// The text of an SMS (`GOTRUE_SMS_TEMPLATE`).
    public var template = "Your code is {{ .Code }}"
    /// The phone numbers for tests, with their fixed codes (`GOTRUE_SMS_TEST_OTP`).
    ///
    /// The server sends no SMS to these numbers.
    public var testCodes: [String: String] = [:]
    /// The time when the fixed codes expire (`GOTRUE_SMS_TEST_OTP_VALID_UNTIL`); `nil` if the codes never expire.
    public var testCodesEnd: Instant?
    /// The name of the SMS provider (`GOTRUE_SMS_PROVIDER`).
    ///
    /// The emulator's outbox replaces this provider. If the name is empty, the outbox replaces a hook that sends SMS.
    public var provider = ""
    /// Whether the SMS provider has credentials (`GOTRUE_SMS_{PROVIDER}_…`).
    ///
    /// If the credentials are missing or the provider is unknown, the server rejects every SMS, as the real server
    /// does.
    public var hasCredentials = true
    /// The names of the credentials that have a value.
    var givenCredentials: Set<String> = []

    /// The credentials that each provider needs, by the end of the setting's name (`internal/conf/configuration.go`).
    static let credentials = [
        "messagebird": ["ACCESS_KEY", "ORIGINATOR"], "textlocal": ["API_KEY", "SENDER"],
        "twilio": ["ACCOUNT_SID", "AUTH_TOKEN", "MESSAGE_SERVICE_SID"],
        "twilio_verify": ["ACCOUNT_SID", "AUTH_TOKEN", "MESSAGE_SERVICE_SID"], "vonage": ["API_KEY", "API_SECRET", "FROM"],
    ]

    /// Checks whether the provider has its credentials.
    ///
    /// - Returns: The sentence about missing credentials that is printed at the start.
    mutating func findCredentials() -> String? {
        guard !provider.isEmpty else { return nil }
        var missing = ["one of " + Self.credentials.keys.sorted().joined(separator: ", ") + " as its name"]
        if let parts = Self.credentials[provider] {
            missing = parts.map { "GOTRUE_SMS_\(provider.uppercased())_\($0)" }.filter { !givenCredentials.contains($0) }
        }
        hasCredentials = missing.isEmpty
        guard !hasCredentials else { return nil }
        return
            "GOTRUE_SMS_PROVIDER=\(provider) lacks \(missing.joined(separator: ", ")): text messages are rejected with 500, as on "
            + "the real server. Leave out the provider to send them to the outbox."
    }

    /// Returns the fixed code of a number, if there is one.
    func testCode(for phone: String, at now: Instant) -> String? {
        if let testCodesEnd, now >= testCodesEnd { return nil }
        return testCodes[phone]
    }
}
