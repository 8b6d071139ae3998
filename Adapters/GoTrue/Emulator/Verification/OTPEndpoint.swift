internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// `POST /otp`: a code by mail or text message, for a new user too.
struct OTPEndpoint: Endpoint {
    static let shape = BodyShape(
        "OtpParams",
        [
            ("email", .text), ("phone", .text), ("create_user", .flag), ("data", .object), ("channel", .text), BodyShape.security,
        ] + BodyShape.proof)

    func answer(_ turn: inout Turn, _ db: inout SQLiteConnection) throws -> EmulatorResponse {
        try turn.limit(.otp)
        let body = try Body(of: turn.request, as: Self.shape)
        try turn.askForCaptcha(body)
        let email = body[text: "email"]
        let phone = body[text: "phone"]
        guard email.isEmpty || phone.isEmpty else {
            throw GoTrueError.invalid("Only an email address or phone number should be provided")
        }
        if !email.isEmpty, !body[text: "channel"].isEmpty {
            throw GoTrueError.invalid("Channel should only be specified with Phone OTP")
        }
        let proof = try ProofKey(body)
        if body[raw: "create_user"] == .bool(false), try !isKnown(email, phone, turn, &db) {
            throw GoTrueError.unprocessable(.otpDisabled, "Signups not allowed for otp")
        }
        let data = body[object: "data"] ?? [:]
        if !email.isEmpty { return try MagicLink(email: email, data: data, proof: proof).answer(&turn, &db) }
        guard !phone.isEmpty else { throw GoTrueError.invalid("One of email or phone must be set") }
        return try PhoneCode(phone: phone, data: data, channel: body[text: "channel"]).answer(&turn, &db)
    }

    private func isKnown(_ email: String, _ phone: String, _ turn: Turn, _ db: inout SQLiteConnection) throws -> Bool {
        if !email.isEmpty {
            guard let address = try? Address.email(email) else { return false }
            return try db.user(email: address, audience: turn.audience) != nil
        }
        guard let number = try? Address.phone(phone) else { return false }
        return try db.user(phone: number, audience: turn.audience) != nil
    }
}
