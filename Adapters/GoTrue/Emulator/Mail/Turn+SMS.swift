internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

extension Turn {
    enum SMSPurpose {
        case confirmation
        case phoneChange
        case reauthentication
    }

    static let wrongChannel = GoTrueError.invalid(
        "Invalid channel, supported values are 'sms' or 'whatsapp'. 'whatsapp' is only supported if Twilio or Twilio Verify is used as the provider."
    )

    /// `sms`, or `whatsapp` where the provider knows it.
    func checkChannel(_ channel: String) throws {
        let knowsWhatsApp = ["twilio", "twilio_verify"].contains(settings.sms.provider)
        guard channel.isEmpty || channel == "sms" || channel == "whatsapp" && knowsWhatsApp else { throw Self.wrongChannel }
    }

    /// Sends a code to a number; a test number gets none, but has its fixed code.
    ///
    /// - Returns: `test-otp` for a test number.
    @discardableResult
    mutating func sendSMS(
        _ purpose: SMSPurpose, to phone: String, of user: inout User, _ db: inout SQLiteConnection
    ) throws -> String? {
        let sentAt =
            switch purpose {
            case .confirmation: user.confirmation.sentAt
            case .phoneChange: user.phoneChangeSlot.sentAt
            case .reauthentication: user.reauthentication.sentAt
            }
        if let sentAt, settings.sms.interval > .milliseconds(1), sentAt + settings.sms.interval > now {
            throw GoTrueError.tooMany(.overSMSRate, Self.patience(until: sentAt + settings.sms.interval, now))
        }
        if purpose == .phoneChange { user.phoneChange = phone }
        let testCode = settings.sms.testCodes[phone]
        let code = testCode ?? code("sms \(purpose)", length: settings.sms.codeLength)
        if testCode == nil {
            if !settings.sms.confirmsByItself, let limiter = core.limits.messages, limiter.admit("all") != nil {
                throw GoTrueError.tooMany(.overSMSRate, "SMS rate limit exceeded")
            }
            try deliver(code, to: phone, user, template: settings.sms.template)
        }
        let slot = User.Slot(hash: CodeHash.of(phone, code), sentAt: now)
        let kind: OneTimeTokenKind
        switch purpose {
        case .confirmation:
            user.confirmation = slot
            kind = .confirmation
        case .phoneChange:
            user.phoneChangeSlot = slot
            kind = .phoneChange
        case .reauthentication:
            user.reauthentication = slot
            kind = .reauthentication
        }
        try save(&user, &db)
        try db.setOneTimeToken(kind, slot.hash, of: user, for: phone, at: now)
        return testCode == nil ? nil : "test-otp"
    }

    /// Puts a code on its way, through the hook where there is one.
    mutating func deliver(_ code: String, to phone: String, _ user: User, template: String, isFactor: Bool = false) throws {
        if let hook = settings.hooks.sendSMS { return try callSMSHook(hook, code, to: phone, user, isFactor: isFactor) }
        let text = MailTemplate(template).filled(["Code": code])
        do {
            try core.environment.outbox.text(to: phone, text, code: code)
        } catch {
            throw GoTrueError.failure("Unable to get SMS provider")
        }
    }
}
