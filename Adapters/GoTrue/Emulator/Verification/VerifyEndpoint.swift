internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// Answers `POST /verify`.
struct VerifyEndpoint: Endpoint {
    static let shape = BodyShape(
        "VerifyParams",
        [("type", .text), ("token", .text), ("token_hash", .text), ("email", .text), ("phone", .text), ("redirect_to", .text)])

    func answer(_ turn: inout Turn, _ db: inout SQLiteConnection) throws -> EmulatorResponse {
        try turn.limit(.verify)
        var verification = try Self.verification(try Body(of: turn.request, as: Self.shape))
        let found =
            try verification.token.isEmpty
            ? turn.user(byLink: &verification, &db) : turn.user(byCode: &verification, &db)
        guard var user = try turn.accept(verification, by: found, &db) else {
            return .go(["msg": .string(Turn.halfConfirmed), "code": "200"] as JSONObject)
        }
        var session = try turn.openSession(for: &user, by: .otp, &db)
        session.user = user
        return .go(session.json)
    }

    private static func verification(_ body: Body) throws -> Verification {
        var verification = Verification(type: body[text: "type"])
        guard !verification.type.isEmpty else { throw GoTrueError.invalid("Verify requires a verification type") }
        let token = body[text: "token"]
        let hash = body[text: "token_hash"]
        guard token.isEmpty != hash.isEmpty else {
            throw GoTrueError.invalid("Verify requires either a token or a token hash")
        }
        let email = body[text: "email"]
        let phone = body[text: "phone"]
        if token.isEmpty {
            guard email.isEmpty, phone.isEmpty, body[text: "redirect_to"].isEmpty else {
                throw GoTrueError.invalid("Only the token_hash and type should be provided")
            }
            verification.hash = hash
            return verification
        }
        guard email.isEmpty != phone.isEmpty else {
            throw GoTrueError.invalid("Only an email address or phone number should be provided on verify")
        }
        verification.token = token
        if phone.isEmpty {
            do {
                verification.email = try Address.email(email)
            } catch {
                throw GoTrueError.unprocessable(.validationFailed, "Invalid email format")
            }
        } else {
            verification.phone = try Address.phone(phone)
        }
        return verification
    }
}
