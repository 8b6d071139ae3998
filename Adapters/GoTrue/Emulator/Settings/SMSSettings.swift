public import LockstepPrimitives

/// Text messages and their codes.
public struct SMSSettings: Sendable {
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
    /// `GOTRUE_SMS_PROVIDER`: only its name matters, messages go to the outbox.
    public var provider = ""

    mutating func read(_ environment: inout EnvironmentReader) {
        environment.flag("GOTRUE_SMS_AUTOCONFIRM", into: &confirmsByItself)
        environment.number("GOTRUE_SMS_OTP_LENGTH", into: &codeLength)
        if !(6...10).contains(codeLength) { codeLength = 6 }
        environment.seconds("GOTRUE_SMS_OTP_EXP", into: &codeLife)
        codeLife = codeLife == .zero ? .seconds(60) : min(codeLife, .seconds(86_400))
        environment.duration("GOTRUE_SMS_MAX_FREQUENCY", into: &interval)
        if interval == .zero { interval = .seconds(60) }
        environment.text("GOTRUE_SMS_TEMPLATE", into: &template)
        environment.text("GOTRUE_SMS_PROVIDER", into: &provider)
        var pairs: [String] = []
        environment.list("GOTRUE_SMS_TEST_OTP", into: &pairs)
        for pair in pairs {
            let pieces = pair.split(separator: ":", maxSplits: 1)
            if pieces.count == 2 { testCodes[Address.digits(String(pieces[0]))] = String(pieces[1]) }
        }
        if let text = environment.text("GOTRUE_SMS_TEST_OTP_VALID_UNTIL") {
            testCodesEnd = Instant(rfc3339: text)
            if testCodesEnd == nil {
                environment.problem("GOTRUE_SMS_TEST_OTP_VALID_UNTIL must be a time such as 2030-01-01T00:00:00Z.")
            }
        }
    }

    /// The fixed code of a number, while there is one.
    func testCode(for phone: String, at now: Instant) -> String? {
        if let testCodesEnd, now >= testCodesEnd { return nil }
        return testCodes[phone]
    }
}
