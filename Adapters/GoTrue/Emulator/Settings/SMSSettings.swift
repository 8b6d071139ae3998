public import LockstepPrimitives

/// Text messages and their codes.
public struct SMSSettings: Sendable, Hashable {
    /// Numbers count as confirmed at once (`GOTRUE_SMS_AUTOCONFIRM`).
    public var confirmsByItself = false
    /// Digits of a code (`GOTRUE_SMS_OTP_LENGTH`).
    public var codeLength = 6
    /// Life of codes (`GOTRUE_SMS_OTP_EXP`).
    public var codeLife = Duration.seconds(60)
    /// The shortest time between two messages of a kind to one user (`GOTRUE_SMS_MAX_FREQUENCY`).
    public var interval = Duration.seconds(60)
    /// The text of a message (`GOTRUE_SMS_TEMPLATE`).
    public var template = "Your code is {{ .Code }}"
    /// Numbers that get no message, with their fixed codes (`GOTRUE_SMS_TEST_OTP`).
    public var testCodes: [String: String] = [:]
    /// When the fixed codes end (`GOTRUE_SMS_TEST_OTP_VALID_UNTIL`); `nil` is never.
    public var testCodesEnd: Instant?
    /// The provider by name (`GOTRUE_SMS_PROVIDER`), for which the outbox stands; without a name the outbox stands for a hook.
    public var provider = ""
    /// Whether the named provider has its credentials (`GOTRUE_SMS_{PROVIDER}_…`): without them, and with a name that is no provider's,
    /// every message is refused, as the real server does.
    public var hasCredentials = true

    /// What each provider cannot do without, by the end of the setting's name (`internal/conf/configuration.go`).
    static let credentials = [
        "messagebird": ["ACCESS_KEY", "ORIGINATOR"], "textlocal": ["API_KEY", "SENDER"],
        "twilio": ["ACCOUNT_SID", "AUTH_TOKEN", "MESSAGE_SERVICE_SID"],
        "twilio_verify": ["ACCOUNT_SID", "AUTH_TOKEN", "MESSAGE_SERVICE_SID"], "vonage": ["API_KEY", "API_SECRET", "FROM"],
    ]

    mutating func read(_ environment: inout EnvironmentReader) {
        environment.flag("GOTRUE_SMS_AUTOCONFIRM", into: &confirmsByItself)
        environment.number("GOTRUE_SMS_OTP_LENGTH", into: &codeLength)
        if !(6...10).contains(codeLength) { codeLength = 6 }
        environment.seconds("GOTRUE_SMS_OTP_EXP", into: &codeLife)
        codeLife = codeLife == .zero ? .seconds(60) : min(codeLife, .seconds(86_400))
        environment.duration("GOTRUE_SMS_MAX_FREQUENCY", into: &interval)
        if interval == .zero { interval = .seconds(60) }
        environment.text("GOTRUE_SMS_TEMPLATE", into: &template)
        readProvider(&environment)
        var pairs: [String] = []
        environment.list("GOTRUE_SMS_TEST_OTP", into: &pairs)
        for pair in pairs {
            let pieces = pair.pieces(at: ":", maxSplits: 1)
            if pieces.count == 2 { testCodes[Address.digits(String(pieces[0]))] = String(pieces[1]) }
        }
        if let text = environment.text("GOTRUE_SMS_TEST_OTP_VALID_UNTIL") {
            testCodesEnd = Instant(rfc3339: text)
            if testCodesEnd == nil {
                environment.problem("GOTRUE_SMS_TEST_OTP_VALID_UNTIL must be a time such as 2030-01-01T00:00:00Z.")
            }
        }
    }

    private mutating func readProvider(_ environment: inout EnvironmentReader) {
        environment.text("GOTRUE_SMS_PROVIDER", into: &provider)
        var missing: [String] = []
        for (name, parts) in Self.credentials.sorted(by: { $0.key < $1.key }) {
            for part in parts {
                let variable = "GOTRUE_SMS_\(name.uppercased())_\(part)"
                if environment.text(variable) == nil, name == provider { missing.append(variable) }
            }
        }
        guard !provider.isEmpty else { return }
        if Self.credentials[provider] == nil {
            missing = ["one of " + Self.credentials.keys.sorted().joined(separator: ", ") + " as its name"]
        }
        hasCredentials = missing.isEmpty
        guard !hasCredentials else { return }
        environment.notice(
            "GOTRUE_SMS_PROVIDER=\(provider) lacks \(missing.joined(separator: ", ")): text messages are refused with 500, as by the real server. "
                + "Leave the provider out, and the outbox takes them."
        )
    }

    /// The fixed code of a number, while there is one.
    func testCode(for phone: String, at now: Instant) -> String? {
        if let testCodesEnd, now >= testCodesEnd { return nil }
        return testCodes[phone]
    }
}
