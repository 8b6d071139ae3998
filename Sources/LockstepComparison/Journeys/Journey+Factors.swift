internal import Lockstep
internal import LockstepContracts
internal import LockstepEmulatorTestSupport
internal import LockstepPrimitives

extension Journey {
    /// A journey with an authenticator app as a second factor, from its key to its removal.
    static let secondFactor = Journey("second-factor", "Sign in with a second factor") { driver in
        let email = try await driver.user("hedy")
        try await driver.enter(email)
        var enrolment: FactorEnrolment?
        try await driver.see("add an authenticator app") {
            enrolment = try await driver.app.account.factors.add(.authenticatorApp())
            return enrolment?.key == nil ? "no key" : "a key for the app"
        }
        guard let enrolment, let key = enrolment.key else { return }
        let authenticator = AuthenticatorApp(secret: key.reveal())
        func code() -> ChallengeResponse { .code(authenticator.code(at: driver.environment.clock.now)) }
        try await driver.see("first code of the app") {
            try await driver.app.respond(to: enrolment.challenge.flow, with: code()).word
        }
        try await driver.app.signOut()
        try await driver.wait(.seconds(60))
        var step: AuthStep?
        try await driver.see("right password") {
            step = try await driver.enter(email)
            return step?.word ?? ""
        }
        driver.note("state before the code", driver.state)
        guard let flow = step?.challenge?.flow else { return }
        try await driver.see("a wrong code") { try await driver.app.respond(to: flow, with: .code("000000")).word }
        try await driver.see("the right code") {
            let session = try await driver.app.respond(to: flow, with: code()).session
            return session.map { "signedIn, \($0.assurance.rawValue)" } ?? driver.state
        }
        try await driver.see("remove the authenticator app") {
            guard let factor = try await driver.app.account.factors.all().first else { return "the factor is not listed" }
            try await driver.app.account.factors.remove(factor)
            return "removed"
        }
    }

    /// A journey with a code by SMS.
    static let phone = Journey("phone", "Sign in with an SMS code") { driver in
        let number = "+15551230001"
        var step: AuthStep?
        try await driver.see("a number without a country code") {
            try await driver.app.signIn(with: .phoneCode("5551230001")).word
        }
        let asked = try await driver.see("request the code") {
            step = try await driver.app.signIn(with: .phoneCode(number))
            return step?.word ?? ""
        }
        guard asked == "verify", let flow = step?.flow, let code = try await driver.message(to: number)?.code else { return }
        try await driver.see("a wrong code") { try await driver.app.respond(to: flow, with: .code("000000")).word }
        try await driver.see("the right code") {
            let session = try await driver.app.respond(to: flow, with: .code(Secret(code))).session
            return session?.user.phone == number ? "signedIn, with the number" : driver.state
        }
    }

    /// A journey with a passkey, which is created by a signed-in user and then used to sign in.
    static let passkey = Journey("passkey", "Sign in with a passkey") { driver in
        let email = try await driver.user("mary")
        try await driver.enter(email)
        let user = driver.app.state.session?.user.id ?? ""
        let added = try await driver.seeIfPossible("add a passkey to the account") {
            let step = try await driver.app.account.link(.passkey)
            guard let challenge = step.challenge, let options = challenge.passkeyOptions else { return step.word }
            let made = try await driver.need(driver.environment.passkeys, "a passkey dialog").create(options, of: user)
            return try await driver.app.respond(to: challenge.flow, with: .passkey(made)).word
        }
        try await driver.app.signOut()
        var step: AuthStep?
        let asked = try await driver.see("request the passkey options") {
            step = try await driver.app.signIn(with: .passkey)
            return step?.word ?? ""
        }
        guard added == "complete", asked == "verify", let challenge = step?.challenge else { return }
        try await driver.seeIfPossible("sign in with the passkey") {
            let sheet = try driver.need(driver.environment.passkeys, "a passkey dialog")
            let signed = try await sheet.sign(challenge.passkeyOptions ?? .null, as: user)
            let session = try await driver.app.respond(to: challenge.flow, with: .passkey(signed)).session
            return session?.user.id == user ? "the same user" : driver.state
        }
    }

    /// A journey through an identity provider's pages.
    static let oauth = Journey("oauth", "Sign in through a provider's pages") { driver in
        let provider = driver.environment.identityPage?.provider ?? .apple
        var url: String?
        let asked = try await driver.see("begin") {
            let step = try await driver.app.signIn(with: .oauth(provider))
            if case .redirect(let next) = step { url = next.url }
            return step.word
        }
        guard asked == "redirect", let first = url else { return }
        try await driver.seeIfPossible("the user declines") {
            let page = try driver.need(driver.environment.identityPage, "a provider's page")
            return try await driver.open(try driver.need(try await page.refuse(first), "an address that returns to the app")).word
        }
        try await driver.seeIfPossible("the user consents") {
            let page = try driver.need(driver.environment.identityPage, "a provider's page")
            guard case .redirect(let next) = try await driver.app.signIn(with: .oauth(provider)) else {
                return "the provider's page did not open"
            }
            let person = IdentitySubject(id: driver.environment.randomness.text(8), email: driver.address("oauth"))
            let back = try driver.need(try await page.approve(next.url, as: person), "an address that returns to the app")
            let step = try await driver.open(back)
            return step.session == nil ? step.word : driver.state
        }
    }
}
