internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// Answers `POST /verify`.
struct VerifyEndpoint: Endpoint {
    static let shape = BodyShape(
        "VerifyParams",
        [("type", .text), ("token", .text), ("token_hash", .text), ("email", .text), ("phone", .text), ("redirect_to", .text)])

    func answer(_ context: RequestContext) throws -> EmulatorResponse {
        try context.limits.admit(.verify)
        var verification = try Self.verification(try Body(of: context.request, as: Self.shape))
        let found =
            try verification.token.isEmpty
            ? context.verification.user(byLink: &verification) : context.verification.user(byCode: &verification)
        guard var user = try context.verification.accept(verification, by: found) else {
            return .go(["msg": .string(Verification.halfConfirmed), "code": "200"] as JSONObject)
        }
        var session = try context.sessions.open(for: &user, by: .otp)
        session.user = user
        return .go(session.json)
    }

    private static func verification(_ body: Body) throws -> SentProof {
        var verification = SentProof(type: body[text: "type"])
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
