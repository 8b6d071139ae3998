import LockstepPrimitives

/// The factors shown for an unknown identifier, where the instance hides accounts: those that any account could have.
struct PretendedFactors {
    let settings: ClerkSettings
    let signIn: SignInRecord

    /// First factors, in the order of real ones.
    var first: [JSONObject] {
        var factors: [JSONObject] = []
        let hasPassword = settings.password.isEnabled && settings.signsInByPassword
        if hasPassword { factors.append(["strategy": "password"]) }
        switch signIn.identifierKind {
        case "email_address":
            if settings.emailSignIn.contains(.code) { factors.append(factor("email_code")) }
            if settings.emailSignIn.contains(.link) { factors.append(factor("email_link")) }
            if hasPassword { factors.append(factor("reset_password_email_code")) }
        case "phone_number":
            if settings.signsInByPhoneCode { factors.append(factor("phone_code")) }
            if hasPassword { factors.append(factor("reset_password_phone_code")) }
        default: break
        }
        return factors
    }

    /// A proof as if a message had been sent; no code is right.
    func proof(_ strategy: String, _ exchange: Exchange) throws -> Verification {
        guard first.contains(where: { $0["strategy"]?.string == strategy }) else { throw ClerkError.strategyInvalidForUser }
        let previous = signIn.first?.strategy == strategy ? signIn.first : nil
        try ProofDesk(exchange: exchange).checkInterval(previous, isTest: false)
        let isLink = strategy == "email_link"
        var proof = Verification(object: isLink ? "verification_email_link" : "verification_otp", strategy: strategy)
        proof.attempts = isLink ? nil : 0
        proof.channel = strategy.contains("phone") ? "sms" : nil
        proof.expireAt = exchange.now + (isLink ? settings.linkLifetime : settings.codeLifetime)
        proof.sentAt = exchange.now
        proof.code = exchange.token()
        return proof
    }

    private func factor(_ strategy: String) -> JSONObject {
        [
            "strategy": .string(strategy), "safe_identifier": .optional(signIn.identifier),
            // An id that is stable during the sign-in, and looks like any other.
            "\(signIn.identifierKind ?? "")_id": .string("idn_" + signIn.id.dropFirst("sia_".count)), "primary": true,
        ]
    }
}
