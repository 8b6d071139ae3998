internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// `POST /otp`: a code by mail or text message, for a new user too.
struct OTPEndpoint: FormerEndpoint {
    static let shape = BodySchema.go("OtpParams", ["email": .text, "phone": .text, "create_user": .flag, "data": .object, "channel": .text], .security, .proof)

    func answer(_ context: RequestContext) throws -> EmulatorResponse {
        try context.limits.admit(.otp)
        let body = try Body(of: context.request, as: Self.shape)
        try context.limits.requireCaptcha(body)
        let email = body[text: "email"]
        let phone = body[text: "phone"]
        guard email.isEmpty || phone.isEmpty else {
            throw GoTrueError.invalid("Only an email address or phone number should be provided")
        }
        if !email.isEmpty, !body[text: "channel"].isEmpty {
            throw GoTrueError.invalid("Channel should only be specified with Phone OTP")
        }
        let proof = try ProofKey(body)
        if body["create_user"] == .bool(false), try !isKnown(email, phone, context) {
            throw GoTrueError.unprocessable(.otpDisabled, "Signups not allowed for otp")
        }
        let data = body.object("data") ?? [:]
        if !email.isEmpty { return try MagicLink(email: email, data: data, proof: proof).answer(context) }
        guard !phone.isEmpty else { throw GoTrueError.invalid("One of email or phone must be set") }
        return try PhoneCode(phone: phone, data: data, channel: body[text: "channel"]).answer(context)
    }

    private func isKnown(_ email: String, _ phone: String, _ context: RequestContext) throws -> Bool {
        if !email.isEmpty {
            guard let address = try? Address.email(email) else { return false }
            return try context.db.user(email: address, audience: context.audience) != nil
        }
        guard let number = try? Address.phone(phone) else { return false }
        return try context.db.user(phone: number, audience: context.audience) != nil
    }
}

/// A text message with a code, for a new user too.
struct PhoneCode {
    var phone: String
    var data: JSONObject
    var channel: String

    func answer(_ context: RequestContext) throws -> EmulatorResponse {
        guard context.settings.signIn.allowsPhone else {
            throw GoTrueError.bad(.phoneProviderDisabled, "Unsupported phone provider")
        }
        let number = try Address.phone(phone)
        try context.textMessages.checkChannel(channel)
        var known = try context.db.user(phone: number, audience: context.audience)
        if known?.isPhoneConfirmed != true {
            guard !context.settings.signIn.isSignUpDisabled else { throw GoTrueError.signUpDisabled }
            let outcome = try context.signUps.register(NewAccount(phone: number, data: data, channel: channel))
            guard case .confirmed(let user) = outcome else { return .go([:] as JSONObject) }
            known = try context.accounts.reload(user)
        }
        guard var user = known else { throw GoTrueError.unhandled }
        let message = try context.textMessages.send(.confirmation, to: number, of: &user)
        try context.auditLog.record(.recoveryRequested, user, traits: ["channel": .string(channel.isEmpty ? "sms" : channel)])
        return .go(message.map { ["message_id": .string($0)] } ?? [:])
    }
}
