internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// Writes the SMS with codes.
struct TextMessages {
    let context: RequestContext

    enum Purpose {
        case confirmation
        case phoneChange
        case reauthentication

        /// The property of the user that stores the code.
        var slot: WritableKeyPath<User, User.Slot> {
            switch self {
            case .confirmation: \.confirmation
            case .phoneChange: \.phoneChangeSlot
            case .reauthentication: \.reauthentication
            }
        }

        var token: OneTimeTokenKind {
            switch self {
            case .confirmation: .confirmation
            case .phoneChange: .phoneChange
            case .reauthentication: .reauthentication
            }
        }

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

    /// Accepts `sms`, or `whatsapp` if the provider supports it.
    ///
    /// A hook, or the outbox that replaces it, accepts any channel.
    func checkChannel(_ channel: String) throws {
        let isHook =
            context.settings.hooks.sendSMS != nil
            || context.settings.sms.provider.isEmpty && context.settings.mail.isReachable
        guard !isHook else { return }
        let knowsWhatsApp = ["twilio", "twilio_verify"].contains(context.settings.sms.provider)
        guard channel.isEmpty || channel == "sms" || channel == "whatsapp" && knowsWhatsApp else { throw Self.wrongChannel }
    }

    /// Sends a code to a number.
    ///
    /// A test number has a fixed code, so no message is sent.
    ///
    /// - Returns: `test-otp` for a test number.
    @discardableResult
    func send(_ purpose: Purpose, to phone: String, of user: inout User) throws -> String? {
        if let sentAt = user[keyPath: purpose.slot].sentAt, context.settings.sms.interval > .milliseconds(1),
            sentAt + context.settings.sms.interval > context.now
        {
            throw GoTrueError.textTooSoon(sentAt + context.settings.sms.interval - context.now)
        }
        if purpose == .phoneChange { user.phoneChange = phone }
        let testCode = context.settings.sms.testCode(for: phone, at: context.now)
        let code = testCode ?? context.code("sms \(purpose)", length: context.settings.sms.codeLength)
        if testCode == nil {
            try admitMessage()
            try deliver(code, to: phone, user, kind: purpose.kind)
        }
        user[keyPath: purpose.slot] = User.Slot(hash: CodeHash.of(phone, code), sentAt: context.now)
        try context.users.keep(purpose.token, user[keyPath: purpose.slot].hash, for: phone, of: &user)
        return testCode == nil ? nil : "test-otp"
    }

    /// Returns whether one more message may be sent; each request is counted once.
    private func admitMessage() throws {
        guard !context.settings.sms.confirmsByItself, let limiter = context.state.limits.messages,
            context.isFirst("text message limit")
        else { return }
        guard limiter.admit() else { throw GoTrueError.tooManyTexts }
    }

    /// Sends a code, through the hook if there is one.
    private func deliver(_ code: String, to phone: String, _ user: User, kind: String) throws {
        if let hook = context.settings.hooks.sendSMS {
            return try context.hooks.sendText(hook, code, to: phone, user, isFactor: false)
        }
        let text = MailTemplate(context.settings.sms.template).filled(["Code": code])
        let provider = context.settings.sms.provider
        let isMissing = GoTrueError.failure("Unable to get SMS provider")
        guard context.settings.sms.hasCredentials else { throw isMissing }
        let failure =
            provider.isEmpty
            ? isMissing
            : GoTrueError.textNotSent(kind, by: provider)
        context.send(.text(to: phone, text: text, code: code), failure: failure)
    }

    /// Sends the code of a second factor, which has different error texts.
    func send(factorCode code: String, to phone: String, _ user: User) throws {
        if let hook = context.settings.hooks.sendSMS {
            do {
                return try context.hooks.sendText(hook, code, to: phone, user, isFactor: true)
            } catch is GoTrueError {
                throw GoTrueError.failure("error invoking hook")
            }
        }
        let text = MailTemplate(context.settings.factors.phoneTemplate).filled(["Code": code])
        let isMissing = GoTrueError.failure("Failed to get SMS provider")
        guard context.settings.sms.hasCredentials else { throw isMissing }
        context.send(
            .text(to: phone, text: text, code: code),
            failure: context.settings.sms.provider.isEmpty ? isMissing : GoTrueError.failure("error sending message"))
    }
}
