internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// Answers `POST /resend`.
struct ResendEndpoint: Endpoint {
    static let shape = BodyShape(
        "ResendConfirmationParams", [("type", .text), ("email", .text), ("phone", .text), BodyShape.security] + BodyShape.proof)

    func answer(_ turn: inout Turn, _ db: inout SQLiteConnection) throws -> EmulatorResponse {
        try turn.limit(.resend)
        let body = try Body(of: turn.request, as: Self.shape)
        try turn.askForCaptcha(body)
        let type = body[text: "type"]
        var proof: ProofKey?
        switch type {
        case "signup", "email_change": proof = try ProofKey(body)
        case "sms", "phone_change": break
        default: throw GoTrueError.invalid("Missing one of these types: signup, email_change, sms, phone_change")
        }
        let found = try find(type, body[text: "email"], body[text: "phone"], turn, &db)
        guard var user = found else { return .go([:] as JSONObject) }
        var message: String?
        switch type {
        case "signup":
            if user.isEmailConfirmed { break }
            if let proof { try turn.startFlow("email/signup", .emailSignUp, proof, of: user, &db) }
            try turn.sendConfirmation(to: &user, proof, &db)
            try turn.audit(.confirmationRequested, user, &db)
        case "sms":
            if user.isPhoneConfirmed { break }
            message = try turn.sendSMS(.confirmation, to: user.phone, of: &user, &db)
            try turn.audit(.recoveryRequested, user, &db)
        case "email_change":
            if user.emailChange.isEmpty { break }
            if let proof { try turn.startFlow("email_change", .emailChange, proof, of: user, &db) }
            try turn.sendEmailChange(to: user.emailChange, of: &user, proof, &db)
        default:
            if user.phoneChange.isEmpty { break }
            message = try turn.sendSMS(.phoneChange, to: user.phoneChange, of: &user, &db)
        }
        return .go(message.map { ["message_id": .string($0)] } ?? [:])
    }

    private func find(
        _ type: String, _ email: String, _ phone: String, _ turn: Turn, _ db: inout SQLiteConnection
    ) throws -> User? {
        // Changes are found by either address of the user.
        if type == "signup", email.isEmpty { throw GoTrueError.invalid("Type provided requires an email address") }
        if type == "sms", phone.isEmpty { throw GoTrueError.invalid("Type provided requires a phone number") }
        guard email.isEmpty || phone.isEmpty else {
            throw GoTrueError.invalid("Only an email address or phone number should be provided.")
        }
        if !email.isEmpty {
            guard turn.settings.signIn.allowsEmail else {
                throw GoTrueError.bad(.emailProviderDisabled, "Email logins are disabled")
            }
            return try db.user(email: try Address.email(email), audience: turn.audience)
        }
        guard !phone.isEmpty else { throw GoTrueError.invalid("Missing email address or phone number") }
        guard turn.settings.signIn.allowsPhone else {
            throw GoTrueError.bad(.phoneProviderDisabled, "Phone logins are disabled")
        }
        return try db.user(phone: try Address.phone(phone), audience: turn.audience)
    }
}
