internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// Answers `POST /resend`.
struct ResendEndpoint: FormerEndpoint {
    static let shape = BodySchema.go("ResendConfirmationParams", ["type": .text, "email": .text, "phone": .text], .security, .proof)

    func answer(_ context: RequestContext) throws -> EmulatorResponse {
        try context.limits.admit(.resend)
        let body = try Body(of: context.request, as: Self.shape)
        try context.limits.requireCaptcha(body)
        let type = body[text: "type"]
        var proof: ProofKey?
        switch type {
        case "signup", "email_change": proof = try ProofKey(body)
        case "sms", "phone_change": break
        default: throw GoTrueError.invalid("Missing one of these types: signup, email_change, sms, phone_change")
        }
        let found = try find(type, body[text: "email"], body[text: "phone"], context)
        guard var user = found else { return .go([:] as JSONObject) }
        var message: String?
        switch type {
        case "signup":
            if user.isEmailConfirmed { break }
            if let proof { try context.flows.start("email/signup", .emailSignUp, proof, of: user) }
            try context.mailer.sendConfirmation(to: &user, proof)
            try context.auditLog.record(.confirmationRequested, user)
        case "sms":
            if user.isPhoneConfirmed { break }
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
        return .go(message.map { ["message_id": .string($0)] } ?? [:])
    }

    private func find(_ type: String, _ email: String, _ phone: String, _ context: RequestContext) throws -> User? {
        // Changes are found by either address of the user.
        if type == "signup", email.isEmpty { throw GoTrueError.invalid("Type provided requires an email address") }
        if type == "sms", phone.isEmpty { throw GoTrueError.invalid("Type provided requires a phone number") }
        guard email.isEmpty || phone.isEmpty else {
            throw GoTrueError.invalid("Only an email address or phone number should be provided.")
        }
        if !email.isEmpty {
            guard context.settings.signIn.allowsEmail else {
                throw GoTrueError.bad(.emailProviderDisabled, "Email logins are disabled")
            }
            return try context.db.user(email: try Address.email(email), audience: context.audience)
        }
        guard !phone.isEmpty else { throw GoTrueError.invalid("Missing email address or phone number") }
        guard context.settings.signIn.allowsPhone else {
            throw GoTrueError.bad(.phoneProviderDisabled, "Phone logins are disabled")
        }
        return try context.db.user(phone: try Address.phone(phone), audience: context.audience)
    }
}
