internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// The routes that send a code or a link, by email or SMS.
struct MessageRoutes {
    let context: RequestContext

    static let codeBody = BodySchema.go(
        "OtpParams", ["email": .text, "phone": .text, "create_user": .flag, "data": .object, "channel": .text], .security, .proof)
    static let linkBody = BodySchema.go("MagicLinkParams", ["email": .text, "data": .object], .security, .proof)
    static let recoveryBody = BodySchema.go("RecoverParams", ["email": .text], .security, .proof)
    static let resendBody = BodySchema.go(
        "ResendConfirmationParams", ["type": .text, "email": .text, "phone": .text], .security, .proof)

    /// Handles `POST /otp`: sends a code by email or SMS, even to a new user.
    func sendCode() throws -> EmulatorResponse {
        try context.limits.admit(.otp)
        let body = try context.body
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
        if body.flag("create_user") == false, try !isKnown(email, phone) { throw GoTrueError.codeSignUpDisabled }
        let data = body.object("data") ?? [:]
        if !email.isEmpty { return try sendLink(to: email, data, proof) }
        guard !phone.isEmpty else { throw GoTrueError.invalid("One of email or phone must be set") }
        return try sendCode(to: phone, data, channel: body[text: "channel"])
    }

    private func isKnown(_ email: String, _ phone: String) throws -> Bool {
        if !email.isEmpty {
            guard let address = try? Address.email(email) else { return false }
            return try context.db.user(email: address, audience: context.audience) != nil
        }
        guard let number = try? Address.phone(phone) else { return false }
        return try context.db.user(phone: number, audience: context.audience) != nil
    }

    /// Sends an SMS with a code, even to a new user.
    private func sendCode(to phone: String, _ data: JSONObject, channel: String) throws -> EmulatorResponse {
        guard context.settings.signIn.allowsPhone else { throw GoTrueError.phoneCodesDisabled }
        let number = try Address.phone(phone)
        try context.textMessages.checkChannel(channel)
        var known = try context.db.user(phone: number, audience: context.audience)
        if known?.isPhoneConfirmed != true {
            known = try register(NewAccount(phone: number, data: data, channel: channel))
            if known == nil { return answer() }
        }
        guard var user = known else { throw GoTrueError.unhandled }
        let message = try context.textMessages.send(.confirmation, to: number, of: &user)
        try context.auditLog.record(.recoveryRequested, user, traits: ["channel": .string(channel.isEmpty ? "sms" : channel)])
        return answer(message)
    }

    /// Handles `POST /magiclink`.
    func sendLink() throws -> EmulatorResponse {
        try context.limits.admit(.magicLink)
        if context.settings.asksForCaptcha { try context.limits.requireCaptcha(context.body) }
        try requireLinks()
        // Only this endpoint reads a stream, and its error for an empty body is different.
        if context.request.body.isEmpty { throw GoTrueError.badJSON("Could not read verification params: EOF") }
        let body = try context.body(as: Self.linkBody, saying: "Could not read verification params: ")
        guard !body[text: "email"].isEmpty else { throw GoTrueError.recoveryWithoutEmail }
        let email = try Address.email(body[text: "email"])
        return try sendLink(to: email, body.object("data") ?? [:], try ProofKey(body))
    }

    private func requireLinks() throws {
        guard context.settings.signIn.allowsEmail else { throw GoTrueError.emailSignInDisabled }
        guard context.settings.signIn.allowsMagicLink else { throw GoTrueError.magicLinkDisabled }
    }

    /// Sends an email with a link and a code: a magic link to confirmed users, a sign-up to all others.
    private func sendLink(to email: String, _ data: JSONObject, _ proof: ProofKey?) throws -> EmulatorResponse {
        try requireLinks()
        let address = try Address.email(email)
        var known = try context.db.user(email: address, audience: context.audience)
        if known?.isEmailConfirmed != true {
            known = try register(NewAccount(email: address, data: data, proof: proof))
            if known == nil { return answer() }
        }
        guard var user = known else { throw GoTrueError.unhandled }
        if let proof { try context.flows.start("magiclink", .magicLink, proof, of: user) }
        try context.mailer.sendRecovery(.magicLink, to: &user, proof)
        try context.auditLog.record(.recoveryRequested, user)
        return answer()
    }

    /// Signs a person up.
    ///
    /// - Returns: The user whom the server confirmed automatically; `nil` if the sign-up has sent a message.
    private func register(_ account: NewAccount) throws -> User? {
        guard !context.settings.signIn.isSignUpDisabled else { throw GoTrueError.signUpDisabled }
        guard case .confirmed(let user) = try context.signUps.register(account) else { return nil }
        return try context.users.reload(user)
    }

    /// Handles `POST /recover`.
    func recover() throws -> EmulatorResponse {
        try context.limits.admit(.recover)
        let body = try context.body
        try context.limits.requireCaptcha(body)
        guard context.settings.signIn.allowsEmail else { throw GoTrueError.emailMessagesDisabled }
        guard !body[text: "email"].isEmpty else { throw GoTrueError.invalid("Password recovery requires an email") }
        let address = try Address.email(body[text: "email"])
        let proof = try ProofKey(body)
        guard var user = try context.db.user(email: address, audience: context.audience) else {
            context.unsentReason = "no user has this address, and the server hides that"
            return answer()
        }
        context.userID = user.id
        if let proof { try context.flows.start("recovery", .recovery, proof, of: user) }
        try context.mailer.sendRecovery(.recovery, to: &user, proof)
        try context.auditLog.record(.recoveryRequested, user)
        return answer()
    }

    /// Handles `GET /reauthenticate`.
    func reauthenticate() throws -> EmulatorResponse {
        var user = try context.user
        var message: String?
        if !user.email.isEmpty {
            guard user.isEmailConfirmed else { throw GoTrueError.emailUnconfirmedForNonce }
            try context.mailer.sendReauthentication(to: &user)
        } else if !user.phone.isEmpty {
            guard user.isPhoneConfirmed else { throw GoTrueError.phoneUnconfirmedForNonce }
            message = try context.textMessages.send(.reauthentication, to: user.phone, of: &user)
        } else {
            throw GoTrueError.invalid("Reauthentication requires the user to have an email or a phone number")
        }
        try context.auditLog.record(.reauthenticated, user)
        return answer(message)
    }

    /// Handles `POST /resend`.
    func resend() throws -> EmulatorResponse {
        try context.limits.admit(.resend)
        let body = try context.body
        try context.limits.requireCaptcha(body)
        let type = body[text: "type"]
        var proof: ProofKey?
        switch type {
        case "signup", "email_change": proof = try ProofKey(body)
        case "sms", "phone_change": break
        default: throw GoTrueError.invalid("Missing one of these types: signup, email_change, sms, phone_change")
        }
        guard var user = try find(type, body[text: "email"], body[text: "phone"]) else {
            context.unsentReason = "no user has this address or number, and the server hides that"
            return answer()
        }
        context.userID = user.id
        var message: String?
        switch type {
        case "signup":
            if user.isEmailConfirmed {
                context.unsentReason = "the address is already verified"
                break
            }
            if let proof { try context.flows.start("email/signup", .emailSignUp, proof, of: user) }
            try context.mailer.sendConfirmation(to: &user, proof)
            try context.auditLog.record(.confirmationRequested, user)
        case "sms":
            if user.isPhoneConfirmed {
                context.unsentReason = "the number is already verified"
                break
            }
            message = try context.textMessages.send(.confirmation, to: user.phone, of: &user)
            try context.auditLog.record(.recoveryRequested, user)
        case "email_change":
            if user.emailChange.isEmpty { break }
            if let proof { try context.flows.start("email_change", .emailChange, proof, of: user) }
            try context.mailer.sendEmailChange(to: user.emailChange, of: &user, proof)
        default:
            if user.phoneChange.isEmpty { break }
            message = try context.textMessages.send(.phoneChange, to: user.phoneChange, of: &user)
        }
        return answer(message)
    }

    private func find(_ type: String, _ email: String, _ phone: String) throws -> User? {
        // A change is found by either address of the user.
        if type == "signup", email.isEmpty { throw GoTrueError.invalid("Type provided requires an email address") }
        if type == "sms", phone.isEmpty { throw GoTrueError.invalid("Type provided requires a phone number") }
        guard email.isEmpty || phone.isEmpty else {
            throw GoTrueError.invalid("Only an email address or phone number should be provided.")
        }
        if !email.isEmpty {
            guard context.settings.signIn.allowsEmail else { throw GoTrueError.emailMessagesDisabled }
            return try context.db.user(email: try Address.email(email), audience: context.audience)
        }
        guard !phone.isEmpty else { throw GoTrueError.invalid("Missing email address or phone number") }
        guard context.settings.signIn.allowsPhone else { throw GoTrueError.phoneMessagesDisabled }
        return try context.db.user(phone: try Address.phone(phone), audience: context.audience)
    }

    /// Returns the response to a request for a message.
    ///
    /// - Parameter message: The text `test-otp` for a number whose code is fixed.
    private func answer(_ message: String? = nil) -> EmulatorResponse {
        .go(message.map { ["message_id": .string($0)] } ?? [:])
    }
}
