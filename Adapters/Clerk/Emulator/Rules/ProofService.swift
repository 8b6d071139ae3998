import LockstepPrimitives

/// Sends codes and links, and checks the responses (https://clerk.com/docs/reference/frontend-api).
struct ProofService {
    let context: RequestContext

    private var settings: ClerkSettings { context.settings }

    /// Sends a new code to `address`; the previous code becomes invalid.
    ///
    /// `target` is the id of the address if it has one. Throws an error if the last message is too recent.
    func sendCode(_ strategy: String, to address: Identifier, target: String? = nil, after previous: Verification?) throws
        -> Verification
    {
        let isTest = self.isTest(address)
        try checkInterval(previous, isTest: isTest)
        let code = context.code(isTest: isTest)
        var proof = Verification(object: "verification_otp", strategy: strategy, attempts: 0)
        proof.expireAt = context.now + settings.codeLifetime
        proof.code = code
        proof.sentAt = context.now
        proof.target = target ?? address.text
        switch address {
        case .phone(let number):
            proof.channel = "sms"
            if !isTest {
                try context.text(to: number, "\(code) is your \(settings.applicationName) verification code.", code: code)
            }
        case .email(let address), .username(let address):
            if !isTest { try mail(code, to: address, isReset: strategy.hasPrefix("reset_password")) }
        }
        return proof
    }

    /// Emails a link that verifies the address when it is opened.
    func sendLink(to address: String, target: String?, after previous: Verification?, _ link: LinkRecord, url: String) throws
        -> Verification
    {
        try checkInterval(previous, isTest: false)
        try context.db.save(link)
        var proof = Verification(object: "verification_email_link", strategy: "email_link")
        proof.expireAt = link.expireAt
        proof.sentAt = context.now
        proof.target = target ?? address
        proof.linkToken = link.token
        let text = "Open this link to continue to \(settings.applicationName):\n\n\(url)\n\nIt works for a short time only."
        try context.mail("magic_link", to: address, subject: "Your link for \(settings.applicationName)", text: text, link: url)
        return proof
    }

    /// Checks a code: changes `proof`, and returns the error if the code is wrong.
    ///
    /// The caller stores `proof` in either case.
    func attempt(_ proof: inout Verification?, strategy: String?, code: String?) -> ClerkError? {
        guard var current = proof else { return .verificationMissing }
        if let strategy, strategy != current.strategy { return .verificationStrategyInvalid }
        switch current.status(at: context.now) {
        case .verified: return .alreadyVerified
        case .expired: return .verificationExpired
        case .failed, .transferable: return .verificationFailed
        case .unverified: break
        }
        guard let expected = current.code else { return .verificationStrategyInvalid }
        guard let code, !code.isEmpty else { return .empty("code") }
        current.attempts = (current.attempts ?? 0) + 1
        defer { proof = current }
        if Secret(code) == Secret(expected) {
            current.status = .verified
            return nil
        }
        if (current.attempts ?? 0) >= settings.attemptsPerVerification { current.status = .failed }
        return .wrongCode
    }

    private func isTest(_ address: Identifier) -> Bool {
        guard settings.isTestMode else { return false }
        return switch address {
        case .email(let text): EmailAddress(text)?.isTest ?? false
        case .phone(let text): PhoneNumber(text)?.isTest ?? false
        case .username: false
        }
    }

    /// Throws an error if the last message of an open verification is too recent.
    func checkInterval(_ previous: Verification?, isTest: Bool) throws {
        guard !isTest, let interval = settings.resendInterval, let sentAt = previous?.sentAt, previous?.status == .unverified
        else { return }
        let left = sentAt + interval - context.now
        if left > .zero { throw ClerkError.resentTooSoon(retryAfter: Int((left.milliseconds + 999) / 1000)) }
    }

    private func mail(_ code: String, to address: String, isReset: Bool) throws {
        let use = isReset ? "reset your password" : "verify your address"
        try context.mail(
            isReset ? "reset_password_code" : "verification_code", to: address,
            subject: "\(code) is your \(isReset ? "password reset" : "verification") code",
            text: "Use this code to \(use) for \(settings.applicationName):\n\n\(code)\n\nIt works for a short time only.",
            code: code)
    }
}
