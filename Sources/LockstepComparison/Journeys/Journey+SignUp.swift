internal import Lockstep
internal import LockstepContracts
internal import LockstepPrimitives

extension Journey {
    /// A journey with a sign-up with email and password, and every offered verification.
    static let signUp = Journey("sign-up", "Sign up with e-mail and password") { driver in
        let email = driver.address("ada")
        let name = "Ada \(driver.environment.randomness.text(4))"
        var first: Challenge?
        try await driver.see("submit") {
            let step = try await driver.app.signUp(
                with: .password(email: email, password: driver.password), displayName: name)
            first = step.challenge
            guard case .verify = step else { return step.word }
            return driver.app.state.session == nil ? "verify, no session" : "verify, limited session"
        }
        guard let challenge = first else { return driver.note("message", "none") }
        driver.note("state before verification", driver.state)
        let message = try await driver.message(to: email)
        driver.note("message", message?.words ?? "none")
        try await driver.see("a token before the verification") {
            _ = try await driver.app.accessToken()
            return "a token"
        }
        try await driver.see("resend immediately") {
            try await driver.app.resend(challenge.flow)
            return "sent"
        }
        try await driver.wait(.seconds(61))
        try await driver.see("resend after a minute") {
            try await driver.app.resend(challenge.flow)
            return "sent"
        }
        for kind in [ChallengeResponse.Kind.link, .code, .poll] {
            try await driver.see("verify by \(kind.rawValue)") {
                guard challenge.accepts.contains(kind) else { return "not offered" }
                if kind == .code, message?.code == nil { return "accepted, but the message contains no code" }
                return try await confirmed(by: kind, driver)
            }
        }
        try await driver.see("display name afterwards") {
            let user = try await driver.app.refreshUser()
            return user.displayName == nil ? "lost" : "kept"
        }
    }

    /// Signs up a new person, and verifies the address with one kind of answer.
    private static func confirmed(by kind: ChallengeResponse.Kind, _ driver: JourneyDriver) async throws -> String {
        if driver.app.state.session != nil { try await driver.app.signOut() }
        let email = driver.address(kind.rawValue)
        let step = try await driver.app.signUp(
            with: .password(email: email, password: driver.password), displayName: "Grace Hopper")
        guard case .verify(let challenge) = step else { return step.word }
        let last = try await driver.prove(challenge, by: kind, to: email)
        return last.session == nil ? last.word : driver.state
    }
}
