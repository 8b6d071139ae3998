internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

extension Turn {
    enum SMSPurpose {
        case confirmation
        case phoneChange
        case reauthentication

        /// The server's name of it.
        var kind: String {
            switch self {
            case .confirmation: "confirmation"
            case .phoneChange: "phone_change"
            case .reauthentication: "reauthentication"
            }
        }
    }

    static let wrongChannel = GoTrueError.invalid(
        "Invalid channel, supported values are 'sms' or 'whatsapp'. 'whatsapp' is only supported if Twilio or Twilio Verify is used as the provider."
    )

    /// `sms`, or `whatsapp` where the provider knows it; a hook, and the outbox in its place, takes any channel.
    func checkChannel(_ channel: String) throws {
        let isHook = settings.hooks.sendSMS != nil || settings.sms.provider.isEmpty && settings.mail.isReachable
        guard !isHook else { return }
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
            throw GoTrueError.tooMany(.overSMSRate, Self.waitingTime(until: sentAt + settings.sms.interval, now))
        }
        if purpose == .phoneChange { user.phoneChange = phone }
        let testCode = settings.sms.testCode(for: phone, at: now)
        let code = testCode ?? code("sms \(purpose)", length: settings.sms.codeLength)
        if testCode == nil {
            try admitMessage()
            try deliver(code, to: phone, user, kind: purpose.kind)
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

    /// Whether one more message may be sent; counts once per request.
    private mutating func admitMessage() throws {
        guard !settings.sms.confirmsByItself, !memory.isMessageCounted, let limiter = core.limits.messages else { return }
        guard limiter.admit() else { throw GoTrueError.tooMany(.overSMSRate, "SMS rate limit exceeded") }
        memory.isMessageCounted = true
    }

    /// Sends a code, through the hook where there is one.
    private mutating func deliver(_ code: String, to phone: String, _ user: User, kind: String) throws {
        if let hook = settings.hooks.sendSMS { return try callSMSHook(hook, code, to: phone, user, isFactor: false) }
        let text = MailTemplate(settings.sms.template).filled(["Code": code])
        do {
            try core.environment.outbox.text(to: phone, text, code: code)
        } catch {
            guard !settings.sms.provider.isEmpty else { throw GoTrueError.failure("Unable to get SMS provider") }
            throw GoTrueError.unprocessable(
                .smsSendFailed, "Error sending \(kind) OTP to provider: \(settings.sms.provider) cannot be reached")
        }
    }

    /// Sends the code of a second factor, which has other error texts.
    mutating func deliver(factorCode code: String, to phone: String, _ user: User) throws {
        if let hook = settings.hooks.sendSMS {
            do {
                return try callSMSHook(hook, code, to: phone, user, isFactor: true)
            } catch is GoTrueError {
                throw GoTrueError.failure("error invoking hook")
            }
        }
        let text = MailTemplate(settings.factors.phoneTemplate).filled(["Code": code])
        do {
            try core.environment.outbox.text(to: phone, text, code: code)
        } catch {
            let isMissing = settings.sms.provider.isEmpty
            throw GoTrueError.failure(isMissing ? "Failed to get SMS provider" : "error sending message")
        }
    }
}
