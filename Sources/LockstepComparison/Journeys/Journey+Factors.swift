internal import Lockstep
internal import LockstepContracts
internal import LockstepEmulatorTestSupport
internal import LockstepPrimitives

extension Journey {
    /// An authenticator app as second factor, from its key to its removal.
    static let secondFactor = Journey("second-factor", "Sign in with a second factor") { driver in
        let email = try await driver.user("hedy")
        try await driver.enter(email)
        var enrolment: FactorEnrolment?
        try await driver.see("add an authenticator app") {
            enrolment = try await driver.app.account.factors.add(.authenticatorApp())
            return enrolment?.key == nil ? "no key to show" : "a key to show"
        }
        guard let enrolment, let key = enrolment.key else { return }
        let authenticator = AuthenticatorApp(secret: key.reveal())
        func code() -> ChallengeResponse { .code(authenticator.code(at: driver.environment.clock.now)) }
        try await driver.see("its first code") {
            try await driver.app.respond(to: enrolment.challenge.flow, with: code()).word
        }
        try await driver.app.signOut()
        try await driver.wait(.seconds(60))
        var step: SignInStep?
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
        try await driver.see("remove it") {
            guard let factor = try await driver.app.account.factors.all().first else { return "it is not listed" }
            try await driver.app.account.factors.remove(factor)
            return "removed"
        }
    }

    /// A code by SMS.
    static let phone = Journey("phone", "Sign in by a code to a phone") { driver in
        let number = "+15551230001"
        var step: SignInStep?
        try await driver.see("a number without its country") {
            try await driver.app.signIn(with: .phoneCode("5551230001")).word
        }
        let asked = try await driver.see("ask for the code") {
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

    /// A passkey, up to the platform's own sheet.
    static let passkey = Journey("passkey", "Sign in by a passkey") { driver in
        var step: SignInStep?
        let asked = try await driver.see("ask for the sheet's options") {
            step = try await driver.app.signIn(with: .passkey)
            return step?.word ?? ""
        }
        guard asked == "verify", let challenge = step?.challenge else { return }
        driver.note("options for the platform's sheet", challenge.passkeyOptions == nil ? "none" : "given")
        try await driver.see("a passkey of another site") {
            let options = challenge.passkeyOptions
            let foreign = SoftwarePasskey([
                "do": "get", "seed": "stranger", "challenge": options?["challenge"] ?? "", "origin": "https://elsewhere.example",
                "rp_id": "elsewhere.example", "count": 1, "user": "",
            ])
            return try await driver.app.respond(to: challenge.flow, with: .passkey(foreign.credential)).word
        }
    }

    /// A round trip through an identity provider's pages.
    static let oauth = Journey("oauth", "Sign in through a provider's pages") { driver in
        var page: RedirectStep?
        let asked = try await driver.see("begin") {
            let step = try await driver.app.signIn(with: .oauth(.apple))
            if case .redirect(let next) = step { page = next }
            return step.word
        }
        guard asked == "redirect", let page else { return }
        try await driver.seeIfPossible("the way back") {
            guard let back = try await driver.need(driver.environment.browser, "a browser").follow(page.url) else {
                return "not measured: the pages ask a person"
            }
            let step = try await driver.open(back)
            return step.session == nil ? step.word : driver.state
        }
    }
}
